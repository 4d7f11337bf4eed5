/** Gives the browser a file to save. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Browsers read it a little later.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The JSON of a body; null if it has none. */
export async function readJson(response) {
    const text = await response.text();
    try {
        return JSON.parse(text);
    }
    catch {
        return null;
    }
}

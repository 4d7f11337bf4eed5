import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawnChild } from './spawn-child.ts';

/** Why LibreOffice cannot run here; undefined if it can. */
export function explainMissingLibreOffice(): string | undefined {
  return Bun.which('soffice') === null ? 'soffice is not installed' : undefined;
}

/** Runs the Sub Main of a Basic program, with a profile in the folder, in a hidden LibreOffice. */
export async function runBasic(
  folder: string,
  program: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  writeProfile(join(folder, 'profile', 'user'), program, folder);
  const profile = pathToFileURL(join(folder, 'profile')).href;
  const options = [`-env:UserInstallation=${profile}`, '--headless', '--norestore'];
  const child = spawnChild(['soffice', ...options, 'macro:///Standard.Program.Main'], {
    env: { ...process.env, ...variables, no_proxy: '*' },
    stdout: 'ignore',
    stderr: 'pipe',
    // It shows dialogs to nobody when a program fails.
    timeout: MAX_RUN_MS,
  });
  const problems = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`soffice failed: ${problems}`);
}

const MAX_RUN_MS = 110_000;

const DOCTYPE = (name: string, file: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE ${name} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "${file}">`;

/** A profile whose library Standard has one module. */
function writeProfile(profile: string, program: string, trustedFolder: string): void {
  const folder = join(profile, 'basic');
  const namespaces =
    'xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"';
  mkdirSync(join(folder, 'Standard'), { recursive: true });
  // Of an incomplete profile, the libraries would be replaced.
  writeFileSync(join(profile, 'registrymodifications.xcu'), buildSettings(trustedFolder));
  writeFileSync(
    join(folder, 'script.xlc'),
    `${DOCTYPE('library:libraries', 'libraries.dtd')}
<library:libraries ${namespaces}>
<library:library library:name="Standard" xlink:href="$(USER)/basic/Standard/script.xlb/" xlink:type="simple" library:link="false"/>
</library:libraries>`,
  );
  writeFileSync(
    join(folder, 'Standard', 'script.xlb'),
    `${DOCTYPE('library:library', 'library.dtd')}
<library:library ${namespaces} library:name="Standard" library:readonly="false" library:passwordprotected="false">
<library:element library:name="Program"/>
</library:library>`,
  );
  writeFileSync(
    join(folder, 'Standard', 'Program.xba'),
    `${DOCTYPE('script:module', 'module.dtd')}
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Program" script:language="StarBasic">${escapeXml(program)}</script:module>`,
  );
}

/** A complete setup that always updates links of documents in a folder, which is trusted. */
const buildSettings = (folder: string) => `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/Office"><prop oor:name="ooSetupInstCompleted" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="SecureURL" oor:op="fuse"><value><it>${pathToFileURL(folder).href}</it></value></prop></item>
</oor:items>`;

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

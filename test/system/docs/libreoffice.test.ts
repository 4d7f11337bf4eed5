import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { issueLink } from '../../../src/tokens/issue-token.ts';
import { retryUntil } from '../../support/eventually.ts';
import { explainMissingLibreOffice, runBasic } from '../../support/libreoffice.ts';
import { quote } from '../../support/quote-fixture.ts';
import { createStore, createTempFolder } from '../../support/store.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { readPage } from './code-blocks.ts';

const missing = explainMissingLibreOffice();
if (missing) console.log(`docs/how-to/libreoffice.md: its steps are not run, ${missing}`);

let service: TestServer;
let folder: string;
beforeAll(async () => {
  folder = createTempFolder();
  service = await startTestServer(await createStore());
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** The options of the import dialog on the page: comma, quote, UTF-8, row 1, English, numbers. */
const IMPORT_OPTIONS = '44,34,76,1,,1033,false,true';

/** Creates the sheet that the page describes, and opens it again once there is other data. */
const PROGRAM = `
Function Named(name, value)
  Dim pair As New com.sun.star.beans.PropertyValue
  pair.Name = name
  pair.Value = value
  Named = pair
End Function

Sub Save(doc, name)
  doc.storeToURL(Environ("FOLDER") & "/" & name & ".csv", Array(Named("FilterName", "Text - txt - csv (StarCalc)"), Named("FilterOptions", "44,34,76,1,,0,false,true")))
End Sub

Sub Main
  file = Environ("FOLDER") & "/sheet.ods"
  doc = StarDesktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, Array(Named("Hidden", True)))
  sheet = doc.Sheets.getByIndex(0)
  address = sheet.getCellRangeByName("A1").CellAddress
  doc.AreaLinks.insertAtPosition(address, Environ("TABLE_LINK"), "CSV_all", "Text - txt - csv (StarCalc)", "${IMPORT_OPTIONS}")
  sheet.getCellRangeByName("E2").Formula = "=SUM(C2:C1000)"
  sheet.getCellRangeByName("E3").Formula = Environ("FORMULA")
  sheet.getCellRangeByName("E4").Formula = "=ISNUMBER(A2)"
  Save(doc, "created")
  doc.storeToURL(file, Array(Named("FilterName", "calc8")))
  doc.close(True)
  Do While Not FileExists(Environ("FOLDER") & "/published")
    Wait 50
  Loop
  doc = StarDesktop.loadComponentFromURL(file, "_blank", 0, Array(Named("Hidden", True), Named("UpdateDocMode", com.sun.star.document.UpdateDocMode.FULL_UPDATE)))
  Save(doc, "opened")
  doc.close(True)
  StarDesktop.terminate()
End Sub
`;

/** The address of a link to a target. */
async function createLink(target: string): Promise<string> {
  const tokens = service.store.tokens();
  const terms = { name: 'Calc', scopes: ['quotes'], rate: null, expiresAt: null };
  const { secret } = await issueLink(tokens, { ...terms, target });
  tokens.close();
  return `${service.address}/links/${secret}`;
}

test.skipIf(missing !== undefined)(
  'LibreOffice opens a link as a sheet, and shows a correction when it is opened again',
  async () => {
    await service.store.publish(quotes, [quote({ ytm: 11.25 }), quote({ symbol: 'B', ytm: 7.5 })]);
    const target = '/2.0/bnb/quote?limit=10000&fields=date,symbol,ytm&format=csv';
    const tableLink = await createLink(target);
    const figureLink = await createLink('/2.0/bnb/quote?symbol=B&fields=ytm&format=csv');
    const [formula = ''] = /^=NUMBERVALUE.*$/m.exec(readPage('how-to/libreoffice.md')) ?? [];
    const readSheet = (name: string) =>
      readFileSync(join(folder, `${name}.csv`), 'utf8').split('\n');
    const done = runBasic(folder, PROGRAM, {
      FOLDER: pathToFileURL(folder).href,
      TABLE_LINK: tableLink,
      FORMULA: formula.replace(/http:[^"]*/, figureLink),
    });
    await Promise.race([
      done,
      retryUntil(100_000, async () => statSync(join(folder, 'sheet.ods'))),
    ]);
    const { date, symbol } = quote({});
    expect(readSheet('created')).toEqual([
      'date,symbol,ytm,,',
      `${date},B,7.5,,18.75`,
      `${date},${symbol},11.25,,7.5`,
      ',,,,TRUE',
      '',
    ]);
    await service.store.publish(quotes, [
      quote({ symbol: 'B', ytm: 8 }),
      quote({ symbol: 'C', ytm: 1 }),
    ]);
    await retryUntil(10_000, async () =>
      expect(await (await fetch(figureLink)).text()).toContain('8'),
    );
    writeFileSync(join(folder, 'published'), '');
    await done;
    expect(readSheet('opened')).toEqual([
      'date,symbol,ytm,,',
      `${date},B,8,,20.25`,
      `${date},C,1,,8`,
      `${date},${symbol},11.25,,TRUE`,
      '',
    ]);
  },
  120_000,
);

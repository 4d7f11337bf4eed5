import { expect, test } from 'bun:test';
import { findDeclarationProblems } from '../../src/catalogue/declaration-problems.ts';
import { selectArtefacts } from '../../src/sdmx/artefacts.ts';
import { createFlow } from '../../src/sdmx/flow.ts';
import { isStructureMessage, readStructureMessage } from '../../src/sdmx/read-structure.ts';
import { writeStructureJson } from '../../src/sdmx/structure-json.ts';
import { writeStructureXml } from '../../src/sdmx/structure-xml.ts';
import { KIBOR, kibor } from '../support/declared-rates.ts';

const flow = createFlow(kibor, 'TENOR', { dimensions: [['1M', '6M', 'x y']], members: [] });
const artefacts = selectArtefacts([flow], 'TENOR', {
  kinds: ['dataflow'],
  references: 'all',
  detail: 'full',
});
const HEADER = { id: 'a', prepared: '2026-01-01T00:00:00Z', sender: 'TENOR' };
const unknown = { unit: '?', kind: '?' };

/** A message of another agency: without dataflow, with references by URN and names in two languages. */
const FOREIGN = `<?xml version="1.0"?><!-- a comment --><m:Structure xmlns:m="m" xmlns:s="s" xmlns:c="c"><m:Structures>
<s:Codelists><s:Codelist id="CL_F" agencyID="SDMX" version="2.0"><s:Code id="M"><c:Name xml:lang="en">Monthly</c:Name></s:Code></s:Codelist>
<s:Codelist id="CL_AREA" agencyID="ZZ"><s:Code id="DE"><c:Name xml:lang="de">Österreich &amp; mehr</c:Name><c:Name xml:lang="en">Germany</c:Name></s:Code></s:Codelist></s:Codelists>
<s:Concepts><s:ConceptScheme id="CS" agencyID="ZZ"><s:Concept id="REF_AREA"><c:Name xml:lang="en">Area</c:Name></s:Concept></s:ConceptScheme></s:Concepts>
<s:DataStructures><s:DataStructure id="ZZ_PRICES" agencyID="ZZ" version="1.0"><c:Name xml:lang="fr">Prix</c:Name><s:DataStructureComponents><s:DimensionList>
<s:Dimension id="FREQ"><s:LocalRepresentation><s:Enumeration><URN>urn:sdmx:org.sdmx.infomodel.codelist.Codelist=SDMX:CL_F(2.0)</URN></s:Enumeration></s:LocalRepresentation></s:Dimension>
<s:Dimension id='REF_AREA'><s:ConceptIdentity><URN>urn:sdmx:org.sdmx.infomodel.conceptscheme.Concept=ZZ:CS(1.0).REF_AREA</URN></s:ConceptIdentity><s:LocalRepresentation><s:Enumeration><URN>urn:sdmx:org.sdmx.infomodel.codelist.Codelist=ZZ:CL_AREA(1.0)</URN></s:Enumeration></s:LocalRepresentation></s:Dimension>
<s:TimeDimension id="TIME_PERIOD"/></s:DimensionList></s:DataStructureComponents></s:DataStructure></s:DataStructures></m:Structures></m:Structure>`;

test.each([
  ['SDMX-ML 2.1', [...writeStructureXml(HEADER, artefacts)].join('')],
  ['SDMX-JSON 2.0', [...writeStructureJson(HEADER, artefacts)].join('')],
])('a message of ours in %s gives the declaration, but for what it does not say', (_, text) => {
  expect(isStructureMessage(text)).toBe(true);
  const [declaration, ...others] = readStructureMessage(text) as [Record<string, unknown>];
  expect(others).toEqual([]);
  expect(declaration).toEqual({
    name: 'kibor',
    title: KIBOR.title,
    description: KIBOR.title,
    period: { kind: '?', field: 'time_period' },
    dimensions: [
      {
        field: 'tenor',
        title: 'Tenor',
        codes: { '1M': 'one month', '6M': 'six months', x_y: 'x y' },
      },
    ],
    measures: [
      { field: 'bid', title: 'Bid', ...unknown },
      { field: 'offer', title: 'Offer', ...unknown },
    ],
    status: true,
  });
  const problems = findDeclarationProblems(declaration);
  expect(problems.some((problem) => problem.startsWith('$.period.kind'))).toBe(true);
});

test.each([
  ['2.1, with URNs as elements', FOREIGN],
  ['3.0, with URNs as text', FOREIGN.replaceAll(/<\/?URN>/g, '')],
  ['2.1, with its frequency in small letters', FOREIGN.replace('"FREQ"', '"freq"')],
])(
  'a message of another agency in SDMX-ML %s gives a declaration, valid once it is completed',
  (_, text) => {
    const [declaration] = readStructureMessage(text) as [Record<string, unknown>];
    expect(declaration).toEqual({
      name: 'zz-prices',
      title: 'Prix',
      period: { kind: 'month', field: 'time_period' },
      dimensions: [{ field: 'ref_area', title: 'Area', codes: { DE: 'Germany' } }],
      measures: [{ field: 'value', title: 'Value', ...unknown }],
    });
    const measures = [{ field: 'value', title: 'Value', unit: 'index', kind: 'index' }];
    expect(findDeclarationProblems({ ...declaration, measures })).toEqual([]);
  },
);

test('texts that are longer than those of a declaration are shortened', () => {
  const long = 'ä'.repeat(201);
  const text = FOREIGN.replaceAll(/Germany|Area|Prix/g, long);
  const [declaration] = readStructureMessage(text) as [Record<string, unknown>];
  const shortened = `${'ä'.repeat(199)}…`;
  expect(declaration).toMatchObject({
    title: shortened,
    dimensions: [{ title: shortened, codes: { DE: shortened } }],
  });
});

test('ids that are no names of ours are changed', () => {
  const text = FOREIGN.replaceAll('REF_AREA', 'UNITS').replace('ZZ_PRICES', '1_P(I)_');
  const [declaration] = readStructureMessage(text) as [{ name: string; dimensions: object[] }];
  expect(declaration).toMatchObject({ name: 'flow-1-p-i', dimensions: [{ field: 'units_code' }] });
});

test.each([
  ['<a', 'ends too early'],
  ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'declares a document type'],
  ['<a>&unknown;</a>', 'a character reference that means nothing'],
  ['<a/>', 'has no data structure of SDMX'],
  ['{"data": {}}', 'no data structure'],
  ['{"meta": ', 'JSON'],
])('%s is rejected', (text, message) => {
  expect(isStructureMessage(text)).toBe(true);
  expect(() => readStructureMessage(text)).toThrow(message);
});

test('a declaration is no structure message', () => {
  expect(isStructureMessage(JSON.stringify(KIBOR))).toBe(false);
});

import { expect, test } from 'bun:test';
import { replaceResults } from '../../bench/result-page.ts';

const PAGE = `# Performance

<!-- measured -->
an old machine

### cold

old cold rows

### hot

old hot rows

<!-- /measured -->

## What the numbers say
`;

test('the results of a benchmark replace its earlier ones and leave the others', () => {
  const page = replaceResults(PAGE, 'cold', 'new cold rows\n', ['cold', 'hot']);
  expect(page).toContain(
    '### cold\n\nnew cold rows\n\n### hot\n\nold hot rows\n\n<!-- /measured -->',
  );
  expect(page).not.toContain('old cold rows');
  expect(page).not.toContain('an old machine');
  expect(page).toStartWith('# Performance\n\n<!-- measured -->\nBun ');
  expect(page).toEndWith('<!-- /measured -->\n\n## What the numbers say\n');
});

test('the results of a benchmark that was never written get the place of its name', () => {
  const names = ['cold', 'known', 'hot', 'never-measured'];
  const page = replaceResults(PAGE, 'known', 'known rows\n', names);
  expect(page).toContain('old cold rows\n\n### known\n\nknown rows\n\n### hot\n\nold hot rows');
  expect(page).not.toContain('never-measured');
});

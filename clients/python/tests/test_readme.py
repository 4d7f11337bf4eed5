"""The examples of the README, run in their order against TENOR_URL."""

import contextlib
import importlib.util
import io
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

README = Path(__file__).parent.parent / 'README.md'
MODULES = {'to_pandas': 'pandas', 'matrix(': 'pandas', 'to_polars': 'polars', 'to_arrow': 'pyarrow'}
MISSING = [
    method for method, module in MODULES.items() if importlib.util.find_spec(module) is None
]


class Readme(unittest.TestCase):
    def setUp(self):
        text = README.read_text('utf-8')
        self.examples = re.findall(r'^```python\n(.*?)^```', text, re.MULTILINE | re.DOTALL)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def run_all(self, examples):
        self.assertGreater(len(examples), 5)
        variables = {}
        for example in examples:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(example, f'<README: {example.splitlines()[0]}>', 'exec'), variables)
            self.assertTrue(printed.getvalue() or 'print' not in example, example)

    def test_every_example_runs_whose_packages_are_installed(self):
        for method in MISSING:
            print(f"skipped '{method} is not run, {MODULES[method]} is not installed'", file=sys.stderr)
        self.run_all(
            [each for each in self.examples if not any(method in each for method in MISSING)]
        )


if __name__ == '__main__':
    unittest.main()

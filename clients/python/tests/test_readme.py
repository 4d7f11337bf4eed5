"""The examples of the README, run in their order against the service at TENOR_URL."""

import contextlib
import importlib.util
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

README = Path(__file__).parent.parent / 'README.md'
HAS_PANDAS = importlib.util.find_spec('pandas') is not None


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

    def test_every_example_without_pandas_runs(self):
        self.run_all([example for example in self.examples if 'to_pandas' not in example])

    @unittest.skipUnless(HAS_PANDAS, 'pandas is not installed for this Python')
    def test_every_example_runs_with_pandas(self):
        self.run_all(self.examples)


if __name__ == '__main__':
    unittest.main()

"""The log of a service that is verified, and every way in which it may fail."""

import asyncio
import base64
import json
import tempfile
import unittest
from pathlib import Path

from tenor_client import (
    AsyncTenor,
    Behind,
    Forbidden,
    Tenor,
    UnexpectedResponseError,
    VerificationError,
)
from tenor_client.ledger import (
    VerifierKey,
    compute_root,
    hash_leaf,
    list_tiles,
    open_note,
    parse_checkpoint,
    parse_verifier_key,
)
from tests.sample_log import SampleLog, Signer
from tests.scripted_server import ScriptedServer, error, ok, respond

QUOTE = {'date': '2026-06-30', 'symbol': 'A', 'ytm': 11.5}
OTHER = {'date': '2026-06-30', 'symbol': 'B', 'ytm': None}


def create_log(**options):
    """A log of five revisions, whose data follows from them."""
    log = SampleLog(**options)
    first = [{**QUOTE, 'ytm': 1}, OTHER, {**QUOTE, 'symbol': 'C'}]
    log.publish('quotes', *(('added', record) for record in first))
    log.publish('funds', ('added', {'fund_id': 'ab', 'name': 'x'}))
    log.publish('quotes', ('corrected', QUOTE), ('retired', {**QUOTE, 'symbol': 'C'}))
    log.publish('funds', ('corrected', {'fund_id': 'ab', 'name': 'é'}))
    plans = [{'year': '2023-24', 'plan': plan, 'total': 1} for plan in ('A', 'B')]
    log.publish('years', *(('added', record) for record in plans))
    relabelled = {**plans[0], 'year': 'FY24'}
    log.publish('years', ('retired', plans[0]), ('added', relabelled), relabelled=1)
    # A later release completes records with fields that it has added, and has them in its order.
    log.exports['quotes'] = [{'duration': None, **dict(reversed(QUOTE.items()))}, OTHER]
    log.exports['funds'] = [{'fund_id': 'ab', 'name': 'é'}]
    log.exports['years'] = [relabelled, plans[1]]
    return log


def damaged(body=b'', content_type='application/octet-stream'):
    return respond(200, body, Content_Type=content_type)


class Verify(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = Path(folder.name) / 'state.json'
        self.log = create_log()

    def verify(self, *, log=None, state=None, **options):
        with ScriptedServer(*[log or self.log] * 40) as server:
            try:
                return Tenor(server.url, 'token').verify(state or self.state, **options)
            finally:
                self.paths = [path.partition('?')[0] for path, _ in server.requests]

    def assert_problem(self, problem, text='', **options):
        before = self.state.read_bytes() if self.state.exists() else None
        with self.assertRaisesRegex(VerificationError, text) as caught:
            self.verify(**options)
        self.assertEqual(caught.exception.problem, problem)
        self.assertTrue(str(caught.exception).startswith(f'{problem}: '))
        # Nothing is kept of what did not hold.
        self.assertEqual(self.state.read_bytes() if self.state.exists() else None, before)
        return caught.exception

    def test_keeps_the_checkpoint_of_a_log_and_data_that_hold(self):
        result = self.verify()
        self.assertEqual((result.origin, result.size), ('tenor/0123', 6))
        self.assertEqual((result.previous_size, result.is_key_new), (None, True))
        self.assertEqual((result.checked, result.unreadable), (6, 0))
        self.assertEqual(result.datasets, {'quotes': 2, 'funds': 1, 'years': 2})
        kept = json.loads(self.state.read_text('utf-8'))
        names = ['origin', 'key', 'size', 'root', 'checkpoint', 'verifiedAt', 'earlierKeys', 'leaves']
        self.assertEqual(list(kept), names)
        self.assertEqual((kept['size'], kept['root']), (6, result.root))
        self.assertEqual(kept['checkpoint'], self.log.checkpoint())
        self.assertEqual(kept['key'], result.key)
        self.assertRegex(kept['verifiedAt'], r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$')

    def test_compares_a_log_that_has_grown_with_the_kept_one(self):
        self.verify()
        self.log.publish('funds', ('added', {'fund_id': 'n', 'name': 'x'}))
        self.log.exports['funds'].append({'fund_id': 'n', 'name': 'x'})
        result = self.verify()
        self.assertEqual((result.previous_size, result.size, result.is_key_new), (6, 7, False))
        self.assertEqual(self.verify().previous_size, 7)

    def test_reads_nothing_but_the_log_alone(self):
        self.verify(log_only=True)
        self.log.publish('funds')
        result = self.verify(log_only=True)
        self.assertEqual((result.previous_size, result.size), (6, 7))
        self.assertEqual((result.checked, result.unreadable, result.datasets), (0, 0, {}))
        read = ['/ledger/checkpoint', '/ledger/keys', '/ledger/tile/0/000.p/7']
        self.assertEqual(self.paths, read)
        with self.assertRaisesRegex(ValueError, 'log_only'):
            self.verify(log_only=True, datasets=['funds'])

    def test_compares_the_named_datasets_alone(self):
        self.log.exports['quotes'] = []
        self.assertEqual(self.verify(datasets=['funds']).datasets, {'funds': 1})
        self.verify(datasets=['funds'])
        self.assertNotIn('/changes/quotes', self.paths)
        with self.assertRaisesRegex(ValueError, "no dataset 'bonds' that can be read; there are quotes, funds"):
            self.verify(datasets=['bonds'])

    def test_leaves_out_what_the_token_may_not_read(self):
        self.log.forbidden = {'quotes'}
        result = self.verify()
        self.assertEqual((result.checked, result.unreadable), (4, 2))
        self.assertEqual(list(result.datasets), ['funds', 'years'])
        with self.assertRaises(Forbidden):
            self.verify(datasets=['quotes'])

    def test_records_may_exchange_their_labels(self):
        one, other = self.log.exports['years']
        labels = [{**other, 'total': 2}, {**one, 'total': 3}]
        changes = [('retired', one), ('added', labels[0]), ('retired', other), ('added', labels[1])]
        self.log.publish('years', *changes, relabelled=2)
        self.log.exports['years'] = labels
        self.assertEqual(self.verify().datasets['years'], 2)

    def test_takes_the_key_that_the_publisher_has_told(self):
        key = str(self.log.signer.key)
        self.assertFalse(self.verify(key=key).is_key_new)
        self.assert_problem('unknown-key', key=str(Signer('tenor/0123', 2).key))
        with self.assertRaisesRegex(ValueError, 'no verifier key'):
            self.verify(key=key[:-4])

    def test_is_awaited_with_asyncio(self):
        async def main(url):
            async with AsyncTenor(url, 'token') as tenor:
                return await tenor.verify(log_only=True)

        with ScriptedServer(*[self.log] * 40) as server:
            self.assertEqual(asyncio.run(main(server.url)).size, 6)

    def test_no_log(self):
        self.log.damage['/ledger/checkpoint'] = error(404, 'no_log')
        self.assert_problem('no-log', 'next publication')

    def test_unsigned(self):
        note = self.log.checkpoint()
        other = Signer('tenor/0123', 2).sign(note.partition('\n\n')[0] + '\n')
        moved = Signer('tenor/0123', 1).sign(note.partition('\n\n')[0].replace('0123', '4') + '\n')
        text, signature = note.split('\n\n')
        notes = [text + '\n', note.replace('\n6\n', '\n7\n'), note[:-1], moved, other, 'no note\n']
        # The first time, and with a kept key.
        for _ in range(2):
            for each in notes:
                self.log.damage['/ledger/checkpoint'] = damaged(each.encode(), 'text/plain')
                self.assert_problem('unsigned')
            self.log.damage.clear()
            self.verify()

    def unpublish(self, count=1):
        for published in (self.log.entries, self.log.lines):
            del published[-count:]

    def assert_behind(self, text):
        before = self.state.read_bytes()
        with self.assertRaisesRegex(Behind, text):
            self.verify(log_only=True)
        self.assertEqual(self.state.read_bytes(), before)

    def test_shorter(self):
        self.verify()
        self.unpublish(2)
        self.log.publish('quotes')
        self.assert_problem('shorter', '5 revisions, but had 6')

    def test_a_log_that_is_as_it_was_earlier_is_behind(self):
        self.verify()
        self.unpublish()
        self.assert_behind('its log has 5 revisions, .* it had 6; .* tenor ledger restart')
        self.unpublish(4)
        self.assert_behind('its log has 1 revisions')

    def test_a_log_of_before_a_new_key_is_behind_also_with_as_many_revisions(self):
        earlier = self.log.signer
        self.verify()
        self.log.follow_by(Signer('tenor/0123', 2), 6)
        self.verify()
        self.log.keys.pop()
        self.log.signer = earlier
        self.assert_behind('its log has 6 revisions')
        self.unpublish()
        self.assert_behind('its log has 5 revisions')
        self.log.entries[1] = self.log.entries[1].replace(b'"00"', b'"01"')
        self.assert_problem('unknown-key')

    def test_a_log_of_before_a_restart_is_behind_unless_it_has_what_was_given_up(self):
        earlier = self.log.signer
        self.log.follow_by(Signer('tenor/4567', 2), 5)
        self.log.entries[5] = self.log.entries[5].replace(b'"00"', b'"01"')
        self.verify()
        self.log.entries[5] = self.log.entries[5].replace(b'"01"', b'"00"')
        self.log.keys.pop()
        self.log.signer = earlier
        self.assert_problem('unknown-key')
        self.unpublish()
        self.assert_behind('its log has 5 revisions')

    def test_hashes_that_are_not_those_of_the_kept_checkpoint_are_rejected(self):
        self.verify()
        kept = json.loads(self.state.read_text('utf-8'))
        leaves = kept['leaves']
        self.unpublish()
        for others in (leaves[1:], [], [*leaves[:-1], 'AAAA'], [*leaves[:-1], leaves[0]], [1, 2], 'a'):
            self.state.write_text(json.dumps({**kept, 'leaves': others}), 'utf-8')
            with self.assertRaisesRegex(ValueError, 'state'):
                self.verify()

    def test_a_state_that_is_later_than_what_was_verified_stays(self):
        self.verify()
        later = self.state.read_bytes()
        self.unpublish()
        other = self.state.with_name('other.json')
        checkpoint = self.log.checkpoint().encode()

        def overtaken(handler):
            other.write_bytes(later)
            damaged(checkpoint, 'text/plain')(handler)

        self.log.damage['/ledger/checkpoint'] = overtaken
        self.verify(state=other, log_only=True)
        self.assertEqual(other.read_bytes(), later)

    def test_forked(self):
        self.verify()
        self.log.entries[1] = self.log.entries[1].replace(b'"00"', b'"01"')
        self.assert_problem('forked', '6 revisions')

    def test_rewritten(self):
        self.verify()
        self.log.entries[1] = self.log.entries[1].replace(b'"00"', b'"01"')
        self.log.publish('funds')
        self.assert_problem('rewritten', 'first 6 revisions')

    def test_damaged_tile(self):
        leaves = self.log.leaves
        tile = b''.join(leaves)
        pairs = b''.join(compute_root(leaves[start : start + 2]) for start in (0, 2, 4))
        others = map(damaged, (tile[:-1], tile[::-1], tile + tile, pairs))
        for other in [*others, error(404, 'not_found')]:
            self.log.damage['/ledger/tile/0/000.p/6'] = other
            self.assert_problem('damaged-tile')

    def test_missing_entry(self):
        self.log.damage['/ledger/entries/3'] = error(404, 'not_found')
        self.assertEqual(self.assert_problem('missing-entry').revision, 3)

    def test_altered_entry(self):
        # The second one is in the log, but at another place.
        for body in (self.log.entries[2] + b' ', self.log.entries[0]):
            self.log.damage['/ledger/entries/3'] = damaged(body, 'application/json')
            self.assertEqual(self.assert_problem('altered-entry').revision, 3)
        self.log.damage.clear()
        self.log.entries[2] = self.log.entries[2].replace(b'"revision":3', b'"revision":2')
        self.assertEqual(self.assert_problem('altered-entry').revision, 3)

    def test_altered_changes(self):
        dataset, lines = self.log.lines[2]
        for other in ([lines[0]], [*lines, lines[1]], [lines[0], b'no json'], []):
            self.log.lines[2] = (dataset, other)
            problem = self.assert_problem('altered-changes')
            self.assertEqual((problem.revision, problem.dataset), (3, 'quotes'))
        self.log.lines[2] = (dataset, lines[::-1])
        self.verify()
        self.log.damage['/changes/years'] = error(404, 'not_found')
        self.assert_problem('altered-changes')

    def test_altered_changes_where_the_counts_of_an_entry_are_others(self):
        counts, entry = b'"added":0,"corrected":1,"retired":1', self.log.entries[2]
        self.assertIn(counts, entry)
        for others in ((0, 0, 1), (0, 2, 1), (1, 1, 1), (0, 1, 0), (1, 0, 2)):
            other = b'"added":%d,"corrected":%d,"retired":%d' % others
            self.log.entries[2] = entry.replace(counts, other)
            self.assert_problem('altered-changes')

    def test_altered_data(self):
        quotes = self.log.exports['quotes']
        others = {
            '2026-06-30 A$': [{**QUOTE, 'ytm': 11.6}, OTHER],
            '2026-06-30 B$': [QUOTE],
            '2026-06-30 C$': [*quotes, {**QUOTE, 'symbol': 'C'}],
            '2026-06-30 A': [*quotes, QUOTE],
            'None None': [*quotes, 'no record'],
            '2026-06-30 D, .* and 1 others': [{**QUOTE, 'symbol': name} for name in 'DE'],
        }
        for text, records in others.items():
            self.log.exports['quotes'] = records
            self.assertEqual(self.assert_problem('altered-data', text).dataset, 'quotes')

    def test_follows_a_key_that_was_rotated(self):
        self.verify()
        new = Signer('tenor/0123', 2)
        self.log.follow_by(new, 6)
        result = self.verify()
        self.assertEqual(result.rotated_keys, (str(new.key),))
        self.assertEqual(json.loads(self.state.read_text('utf-8'))['key'], str(new.key))
        self.assertEqual(self.verify().rotated_keys, ())
        # The former key is not taken any more.
        self.log.signer = Signer('tenor/0123', 1)
        self.assert_problem('unsigned')

    def test_unknown_key_without_a_note_by_the_key_before_it(self):
        self.verify()
        new = Signer('tenor/0123', 2)
        self.log.follow_by(new, 6)
        known, (key, size, note) = self.log.keys
        text = note.partition('\n\n')[0] + '\n'
        of_another = Signer('tenor/0123', 1).sign(text.replace(str(key), str(Signer('a', 3).key)))
        for other in (None, new.sign(text), note.replace('\n6\n', '\n5\n'), of_another):
            self.log.keys = [known, (key, size, other)]
            self.assert_problem('unknown-key', 'no note of that key leads to it')

    def test_restarted(self):
        self.verify()
        self.log.entries[4] = self.log.entries[4].replace(b'"00"', b'"01"')
        self.log.follow_by(Signer('tenor/89ab', 3), 4)
        self.log.follow_by(Signer('tenor/4567', 2), 5)
        self.log.publish('funds')
        self.assert_problem('restarted', "restarted as tenor/4567, .* first 4 .*='tenor/4567'")
        self.assert_problem('restarted', accept_restart='tenor/0123')
        # What was kept is longer than what both logs have.
        result = self.verify(accept_restart='tenor/4567')
        self.assertEqual((result.previous_size, result.common_size, result.checked), (6, 4, 7))
        self.assertIsNone(self.verify().common_size)

    def test_a_restart_that_was_accepted_is_none_for_a_key_of_before(self):
        key = str(self.log.signer.key)
        self.log.follow_by(Signer('tenor/4567', 2), 4)
        self.verify(key=key, accept_restart='tenor/4567')
        self.assertIsNone(self.verify(key=key).common_size)
        self.log.entries[5] = self.log.entries[5].replace(b'"00"', b'"01"')
        self.assert_problem('forked', key=key, accept_restart='tenor/4567')

    def test_the_part_that_a_restarted_log_has_of_the_kept_one_is_compared(self):
        self.verify()
        self.log.follow_by(Signer('tenor/4567', 2), 4)
        self.log.entries[1] = self.log.entries[1].replace(b'"00"', b'"01"')
        self.log.publish('funds')
        self.assert_problem('rewritten', accept_restart='tenor/4567')

    def test_restarted_under_the_name_that_it_had(self):
        self.verify()
        self.log.follow_by(Signer('tenor/4567', 2), 6, is_noted=False)
        self.log.follow_by(Signer('tenor/0123', 3), 6, is_noted=False)
        self.assert_problem('restarted')

    def test_restarted_where_the_key_was_lost(self):
        self.verify()
        self.log.follow_by(Signer('tenor/4567', 2), 6, is_noted=False)
        self.assert_problem('restarted')
        self.assertEqual(self.verify(accept_restart='tenor/4567').common_size, 6)

    def test_restarted_from_a_backup_of_before_the_known_key(self):
        rotated = Signer('tenor/0123', 2)
        earlier, self.log.signer = self.log.signer, rotated
        self.log.keys.append((rotated.key, 6, None))
        self.verify()
        restarted = Signer('tenor/4567', 3)
        text = f'tenor ledger key\n{restarted.key}\n6\n'
        self.log.signer = restarted
        # As signed by the key of the backup alone, and by both.
        for note, problem in (
            (earlier.sign(text), 'unknown-key'),
            (earlier.sign(text) + rotated.sign(text)[len(text) + 1 :], 'restarted'),
        ):
            self.log.keys = [self.log.keys[0], (restarted.key, 6, note)]
            self.assert_problem(problem)
        self.assertEqual(self.verify(accept_restart='tenor/4567').common_size, 6)

    def test_a_restarted_log_begins_with_what_both_have(self):
        self.verify()
        self.log.follow_by(Signer('tenor/4567', 2), 6)
        self.log.entries[1] = self.log.entries[1].replace(b'"00"', b'"01"')
        self.log.publish('funds')
        self.assert_problem('rewritten', accept_restart='tenor/4567')

    def test_restarted_where_the_told_key_is_of_another_log_than_the_kept_one(self):
        self.verify()
        other = create_log(name='tenor/4567', seed=2)
        options = {'log': other, 'key': str(other.signer.key)}
        self.assert_problem('restarted', 'first 0 ', **options)
        self.assertEqual(self.verify(accept_restart='tenor/4567', **options).common_size, 0)

    def test_rejects_a_file_that_is_no_state(self):
        self.verify()
        kept = json.loads(self.state.read_text('utf-8'))
        sizes = [{'size': size} for size in (0, -1, 1.5, True, '6')]
        others = [{**kept, **other} for other in ({'root': ''}, {'origin': 'a'}, *sizes)]
        texts = ('', '{}', '[]', '{"origin":"a","key":"b","size":1,"root":""}')
        for text in (b'\xff', *map(str.encode, [*texts, *map(json.dumps, others)])):
            self.state.write_bytes(text)
            with self.assertRaisesRegex(ValueError, 'state.json is no state of verify'):
                self.verify()
            self.assertEqual(self.state.read_bytes(), text)

    def test_rejects_a_list_without_keys(self):
        for data in ({}, [], {'keys': []}, {'keys': [{'key': 'a', 'size': 0, 'note': None}]}):
            self.log.damage['/ledger/keys'] = ok(data)
            with self.assertRaisesRegex(UnexpectedResponseError, 'keys'):
                self.verify()


class Formats(unittest.TestCase):
    def test_a_root_is_that_of_rfc_6962(self):
        # The entries that the tests of Certificate Transparency use.
        entries = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657']
        entries.append('606162636465666768696a6b6c6d6e6f')
        leaves = [hash_leaf(bytes.fromhex(entry)) for entry in entries]
        roots = {
            0: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
            1: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
            3: 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
            7: 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
            8: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
        }
        for size, root in roots.items():
            self.assertEqual(compute_root(leaves[:size]).hex(), root)

    def test_a_note_is_that_of_the_package_of_go(self):
        key = parse_verifier_key('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')
        text = (
            'If you think cryptography is the answer to your problem,\n'
            "then you don't know what your problem is.\n"
        )
        signature = (
            'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM='
        )
        self.assertEqual(open_note(f'{text}\n— PeterNeumann {signature}\n', key), text)
        # Signatures by others are passed over.
        others = f'{text}\n— Other AAAA\n— PeterNeumann {signature}\n'
        self.assertEqual(open_note(others, key), text)
        changes = [('— P', '- P'), ('x08g', 'x08h'), ('— Peter', '— Pieter'), ('nAM=', 'nAN=')]
        for note in [others[:-1], *(others.replace(*change) for change in changes)]:
            self.assertIsNone(open_note(note, key))

    def test_checkpoints_and_keys_are_written_in_one_way(self):
        root = base64.b64encode(bytes(32)).decode()
        self.assertEqual(parse_checkpoint(f'a/b\n12\n{root}\n').size, 12)
        for text in ('', f'\n1\n{root}\n', f'a\n01\n{root}\n', f'a\n-1\n{root}\n', 'a\n1\nAAAA\n'):
            self.assertIsNone(parse_checkpoint(text))
        key = str(Signer('a/b', 1).key)
        self.assertEqual(str(parse_verifier_key(key)), key)
        longer = str(VerifierKey('a/b', bytes(33)))
        for text in ('', key[1:], key + '=', key.replace('+', '+0', 1), f'{key}\n', longer):
            self.assertIsNone(parse_verifier_key(text))

    def test_tiles_are_numbered_in_groups_of_three_digits(self):
        self.assertEqual(list(list_tiles(256)), [('/ledger/tile/0/000', 256)])
        self.assertEqual(list(list_tiles(257))[1], ('/ledger/tile/0/001.p/1', 1))
        self.assertEqual(list(list_tiles(256 * 1001))[1000], ('/ledger/tile/0/x001/000', 256))


if __name__ == '__main__':
    unittest.main()

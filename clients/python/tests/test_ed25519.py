"""Signatures by the vectors of RFC 8032, and what is no signature."""

import unittest

from tenor_client.ed25519 import ORDER, PRIME, decode_point, is_signed

# Key, message and signature of section 7.1: tests 1, 2, 3 and of the digest of "abc".
VECTORS = [
    (
        'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
        '',
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155'
        '5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ),
    (
        '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        '72',
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da'
        '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ),
    (
        'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
        'af82',
        '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac'
        '18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ),
    (
        'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
        'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a'
        '2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
        'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589'
        '09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
    ),
]
VECTORS = [tuple(map(bytes.fromhex, vector)) for vector in VECTORS]


def flip(data, index):
    return data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :]


class Signatures(unittest.TestCase):
    def test_of_the_vectors_are_valid_and_others_are_not(self):
        for key, message, signature in VECTORS:
            self.assertTrue(is_signed(key, message, signature))
            self.assertFalse(is_signed(key, message + b'.', signature))
            self.assertFalse(is_signed(VECTORS[0][0][::-1], message, signature))
            self.assertFalse(is_signed(key, message, flip(signature, 0)))
            self.assertFalse(is_signed(key, message, flip(signature, 40)))
        self.assertFalse(is_signed(VECTORS[1][0], *VECTORS[0][1:]))

    def test_of_another_length_are_invalid(self):
        key, message, signature = VECTORS[1]
        self.assertFalse(is_signed(key, message, signature + b'\x00'))
        self.assertFalse(is_signed(key, message, signature[:-1]))
        self.assertFalse(is_signed(key + b'\x00', message, signature))
        self.assertFalse(is_signed(key[:-1], message, signature))

    def test_with_a_number_that_is_written_otherwise_are_invalid(self):
        key, message, signature = VECTORS[1]
        number = int.from_bytes(signature[32:], 'little') + ORDER
        self.assertFalse(is_signed(key, message, signature[:32] + number.to_bytes(32, 'little')))

    def test_with_a_point_that_is_written_otherwise_are_invalid(self):
        # The neutral point as a key and a number of zero sign everything with itself as first half.
        neutral = (1).to_bytes(32, 'little')
        self.assertTrue(is_signed(neutral, b'any', neutral + bytes(32)))
        for other in ((PRIME + 1).to_bytes(32, 'little'), (1 | 1 << 255).to_bytes(32, 'little')):
            self.assertFalse(is_signed(neutral, b'any', other + bytes(32)))
            self.assertFalse(is_signed(other, b'any', neutral + bytes(32)))

    def test_points_are_on_the_curve(self):
        self.assertIsNone(decode_point((2).to_bytes(32, 'little')))
        self.assertIsNotNone(decode_point(VECTORS[0][0]))
        self.assertIsNone(decode_point(VECTORS[0][0] + b'\x00'))


if __name__ == '__main__':
    unittest.main()

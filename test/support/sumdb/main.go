// Prints what golang.org/x/mod/sumdb makes of the leaves and the note on standard input; or, with a
// URL and a verifier key as arguments, of the log of a server.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"os"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type input struct {
	Leaves []string // in hexadecimal
	Key    string   // the verifier key of the note
	Note   string
	Text   string // to be signed
}

type output struct {
	Roots       []string
	Inclusion   [][][]string // by size and leaf
	Consistency [][][]string // by size and earlier size
	Opened      string
	Signed      string
	SignedKey   string
}

func main() {
	if len(os.Args) == 3 {
		verifyService(os.Args[1], os.Args[2])
		return
	}
	var in input
	check(json.NewDecoder(os.Stdin).Decode(&in))
	var out output
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var hashes []tlog.Hash
		for _, index := range indexes {
			hashes = append(hashes, stored[index])
		}
		return hashes, nil
	})
	for index, leaf := range in.Leaves {
		data, err := hex.DecodeString(leaf)
		check(err)
		hashes, err := tlog.StoredHashes(int64(index), data, reader)
		check(err)
		stored = append(stored, hashes...)
		size := int64(index + 1)
		root, err := tlog.TreeHash(size, reader)
		check(err)
		out.Roots = append(out.Roots, hex.EncodeToString(root[:]))
		var inclusion, consistency [][]string
		for earlier := int64(0); earlier < size; earlier++ {
			record, err := tlog.ProveRecord(size, earlier, reader)
			check(err)
			inclusion = append(inclusion, format(record))
			tree, err := tlog.ProveTree(size, earlier+1, reader)
			check(err)
			consistency = append(consistency, format(tree))
		}
		out.Inclusion = append(out.Inclusion, inclusion)
		out.Consistency = append(out.Consistency, consistency)
	}
	verifier, err := note.NewVerifier(in.Key)
	check(err)
	opened, err := note.Open([]byte(in.Note), note.VerifierList(verifier))
	check(err)
	out.Opened = opened.Text
	secret, key, err := note.GenerateKey(rand.Reader, "go.example/log")
	check(err)
	signer, err := note.NewSigner(secret)
	check(err)
	signed, err := note.Sign(&note.Note{Text: in.Text}, signer)
	check(err)
	out.Signed, out.SignedKey = string(signed), key
	check(json.NewEncoder(os.Stdout).Encode(out))
}

func format[T ~[]tlog.Hash](proof T) []string {
	texts := []string{}
	for _, hash := range proof {
		texts = append(texts, hex.EncodeToString(hash[:]))
	}
	return texts
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

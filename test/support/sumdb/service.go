package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// service is the log of a running server; its tiles are read by TileHashReader.
type service struct {
	url   string
	Tiles []string // the paths that were read
}

func (s *service) Height() int                     { return 8 }
func (s *service) SaveTiles([]tlog.Tile, [][]byte) {}
func (s *service) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		// The height is no part of the path in tlog-tiles.
		path := "/ledger/" + strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		s.Tiles = append(s.Tiles, path)
		all = append(all, s.get(path))
	}
	return all, nil
}

func (s *service) get(path string) []byte {
	response, err := http.Get(s.url + path)
	check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode != http.StatusOK {
		panic(fmt.Sprintf("%s: %d", path, response.StatusCode))
	}
	return body
}

type proof struct {
	Data struct {
		Checkpoint  string
		Entry       []byte
		Inclusion   [][]byte
		Consistency [][]byte
	}
}

// verifyService checks the signature of a log, its tiles, and a proof of each of its revisions.
func verifyService(url, key string) {
	s := &service{url: url}
	tree, origin := openCheckpoint(s.get("/ledger/checkpoint"), key)
	reader := tlog.TileHashReader(tree, s)
	for revision := int64(1); revision <= tree.N; revision++ {
		var p proof
		check(json.Unmarshal(s.get(fmt.Sprintf("/ledger/proof/%d?from=%[1]d", revision)), &p))
		if proved, _ := openCheckpoint([]byte(p.Data.Checkpoint), key); proved != tree {
			panic("the proof is of another tree")
		}
		leaf := tlog.RecordHash(p.Data.Entry)
		check(tlog.CheckRecord(toHashes(p.Data.Inclusion), tree.N, tree.Hash, revision-1, leaf))
		stored, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, revision-1)})
		check(err)
		if stored[0] != leaf {
			panic("the tile has another leaf")
		}
		earlier, err := tlog.TreeHash(revision, reader)
		check(err)
		check(tlog.CheckTree(toHashes(p.Data.Consistency), tree.N, tree.Hash, revision, earlier))
	}
	root := base64.StdEncoding.EncodeToString(tree.Hash[:])
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"Origin": origin, "Size": tree.N, "Root": root, "Tiles": s.Tiles,
	}))
}

func openCheckpoint(text []byte, key string) (tlog.Tree, string) {
	verifier, err := note.NewVerifier(key)
	check(err)
	opened, err := note.Open(text, note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: root}, lines[0]
}

func toHashes(proof [][]byte) []tlog.Hash {
	hashes := []tlog.Hash{}
	for _, bytes := range proof {
		hashes = append(hashes, tlog.Hash(bytes))
	}
	return hashes
}

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// An attempt is one mutant at the judges of one sort.
type attempt struct {
	dir, overlay string
	own          bool
}

// try runs the quick tests of a judge or those that are slow. The binary stays from the one to the other.
func (a *attempt) try(ctx context.Context, m *mutant, j *judge, slow bool) (verdict, error) {
	v, flags := verdict{killedBy, j.name()}, j.quick
	if a.own {
		v.fate = killed
	}
	binary := filepath.Join(a.dir, strings.ReplaceAll(j.name(), "/", "_")+".test.exe")
	switch {
	case slow && j.slow == nil:
		return verdict{fate: lives}, nil
	case slow:
		flags = j.slow
	default:
		if _, err := build(ctx, binary, a.overlay, j.room); err != nil {
			if a.own && !compiles(ctx, a.overlay, m.room) {
				v = verdict{fate: uncompiled}
			}
			return v, ctx.Err()
		}
	}
	limited, stop := context.WithTimeout(ctx, j.limit)
	defer stop()
	_, err := runTests(limited, binary, j.Dir, a.dir, j.limit, false, flags...)
	switch {
	case ctx.Err() != nil:
		return verdict{}, ctx.Err()
	case limited.Err() != nil:
		return verdict{timedOut, j.name()}, nil
	case err != nil:
		return v, nil
	}
	return verdict{fate: lives}, nil
}

// writeOverlay writes the damaged file and what tells go to take it for the sound one.
func writeOverlay(dir string, m *mutant) (string, error) {
	damaged := filepath.Join(dir, "damaged.go")
	if err := os.WriteFile(damaged, m.damaged(), 0o600); err != nil {
		return "", err
	}
	sound := filepath.Join(m.room.Module.Dir, filepath.FromSlash(m.file))
	text, err := json.Marshal(map[string]map[string]string{"Replace": {sound: damaged}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

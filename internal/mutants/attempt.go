package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// An attempt is one mutant, built on its own for the judges of one sort.
type attempt struct {
	dir, overlay string
	own          bool
}

// try runs the quick tests of a judge or those that are slow. The binary stays from the one to the other.
func (a *attempt) try(ctx context.Context, m *mutant, j *judge, stage int) (verdict, error) {
	if stage >= len(j.stages()) {
		return verdict{fate: lives}, nil
	}
	dead := verdict{killedBy, j.name()}
	if a.own {
		dead.fate = killed
	}
	binary := filepath.Join(a.dir, strings.ReplaceAll(j.name(), "/", "_")+".test.exe")
	if stage == 0 {
		if _, err := build(ctx, binary, a.overlay, j.room); err != nil {
			if a.own && !compiles(ctx, a.overlay, m.room) {
				dead = verdict{fate: uncompiled}
			}
			return dead, ctx.Err()
		}
	}
	v, err := j.run(ctx, binary, a.dir, noMutant, j.stages()[stage])
	if v.fate == killedBy {
		v = dead
	}
	return v, err
}

// writeDamaged writes the damaged file, and an overlay that tells go to take it for the sound one.
func writeDamaged(dir string, m *mutant) (overlay string, err error) {
	damaged := filepath.Join(dir, "damaged.go")
	if err := os.WriteFile(damaged, m.damaged(), 0o600); err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, writeOverlay(overlay, map[string]string{filepath.Join(m.room.Module.Dir, filepath.FromSlash(m.file)): damaged})
}

func writeOverlay(file string, replaced map[string]string) error {
	text, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

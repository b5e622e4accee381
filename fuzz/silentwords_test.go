package fuzz_test

const pageHead = `# What damage is told

How much of a block can be wrong without ` + "`perfblock lint`" + ` saying a word? A test of package fuzz takes every bit of every structural field of the
fixtures in testdata/specs, one at a time, flips it, and asks the validator under the profile strict. Structural are the fields that the
record table gives one of these roles: length, offset, count, title index, enumeration, flags, constant. Values, clocks, ids, names and
what is reserved are not: of most of them any number is as good as another for all that the block can tell. A bit counts as told if there is
a finding that the block did not have, of a rule or at a place that had none, or another one at the damaged field.

Of the %d bits %s give an error, %s a warning at the worst, %s an info at the worst. The other %d, %s, give no finding. Each of these is
in one of the classes below, which is tested too: the new value is a legal one, for the reason there, and what a decoder makes of the block
differs in nothing but that field and what is computed from it. A bit outside them makes the test fail, in the fixtures and in generated blocks
of every kind; those are not in the figures, as they change with the generator.

So: a length, an offset or a count that is wrong does not go unseen where it leads a reader astray. What may go unseen is one legal value in
the place of another, such as a title index or a counter type, which no reader could tell either; compare two samples, or the block with
what is registered, to see those. This page is generated; ` + "`go test ./fuzz -run NoSilentDamage -update`" + ` writes it.

## Changes without a finding

| class | why it is legal | of all bits |
|---|---|--:|
`

const pageFields = `
## By field

Of each block with what is known beside its bytes. A row has the bits that were flipped, the share of them whose worst new finding is an error, a
warning, an info, and the classes of the rest.
`

package fuzz_test

const pageHead = `# What damage is told

How much of a block can be wrong without ` + "`perfblock lint`" + ` saying a word? A test of package fuzz takes the fixtures in testdata/specs that are not
broken, flips every bit of every structural field, one at a time, and asks the validator under the profile strict. Structural are the
fields with one of these roles in the record table: length, offset, count, title index, enumeration, flags, constant. Values, clocks, ids,
references, names and what is reserved are not damaged: for all that the block can tell, most of them may have any value. A bit is told if there
is a finding of a rule that had none at that place, or another finding at the damaged field.

Of the %d bits %s give an error, %s a warning at the worst, %s an info at the worst. The other %d, %s, give no finding. Each of
these is in one of the classes below, and that is tested: the new value is as legal as the old one, for the reason there; all records are
found where they were, but for entries that are as good texts; and in the model that a decoder makes nothing is another but the field, what is computed
from it and what it leads to. A bit outside the classes makes the test fail, in the fixtures as in generated blocks of every kind; those are not in the figures, which would
change with the generator. Nor is there a bit without a finding of which the decoder makes the same model and that is in no class.

What it means for who relies on a clean report: a length or count that is wrong by a bit is told, but for the length of a name that
has become 0 and the room of an obsolete text. An offset is told unless it leads to another value or text that is there, or leads nowhere by
right. What is not told is one legal value in the place of another: a title, a type of the same size, an attribute. The block alone does not say
which was meant; two samples, or what is registered of the set, may. Most wrong titles, versions and error codes give an info or a warning
only, so ` + "`--fail-on info`" + ` sees more than the default.

Shares are rounded down. This page is generated; ` + "`go test ./fuzz -run NoSilentDamage -update`" + ` writes it.

## Changes without a finding

| class | why it is legal | of all bits |
|---|---|--:|
`

const pageFields = `
A class without a share is met in generated blocks alone.

## By field

For each kind of block, and what is known beside its bytes: how many bits were flipped, the share of those whose worst new finding is an error, a
warning or an info, and the classes of the others. GUIDs and texts alone have no structural fields.
`

package htmlparse

//go:generate go run ./internal/entities

// The names of character references, without their &, are kept as a minimal automaton: entityNodes holds lists of
// sibling nodes, one for each set of continuations that some beginning of a name has. The nodes of the first list
// are those of A–Z and a–z. The sum of entityNode.before on the way to a name's end, plus the number of names that end
// on the way, is the name's rank among all names in ascending order; its text is
// entityTexts[entityOffsets[rank]:entityOffsets[rank+1]].
// See https://html.spec.whatwg.org/multipage/named-characters.html

type entityNode struct {
	char   byte
	flags  uint8
	before uint16 // how many names go on with a lesser sibling
	child  uint16 // index of the first node that may follow, 0 if none
}

const (
	entityEnd  = 1 << iota // a name ends with this node
	entityLast             // the last one of its siblings
)

// longestEntity finds the longest name that s begins with and gives its length (0: none) and the text it stands for.
func longestEntity(s string) (length int, text string) {
	if s == "" || !letterClass.has(s[0]) {
		return 0, ""
	}
	i := int(s[0] - 'A')
	if s[0] >= 'a' {
		i = int(s[0]-'a') + 26
	}
	rank, found := int(entityNodes[i].before), 0
	for n := 1; n < len(s) && entityNodes[i].child != 0; n++ {
		i = int(entityNodes[i].child)
		for entityNodes[i].char != s[n] {
			if entityNodes[i].flags&entityLast != 0 {
				return length, entityText(length, found)
			}
			i++
		}
		rank += int(entityNodes[i].before)
		if entityNodes[i].flags&entityEnd != 0 {
			length, found = n+1, rank
			rank++
		}
	}
	return length, entityText(length, found)
}

func entityText(length, rank int) string {
	if length == 0 {
		return ""
	}
	return entityTexts[entityOffsets[rank]:entityOffsets[rank+1]]
}

package dralloc_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/dralloc/dralloc/go"
)

// membersOf are claims for a device each.
func membersOf(t *testing.T, w *world, count int) []*dralloc.Claims {
	t.Helper()
	var members []*dralloc.Claims
	for member := range count {
		claims := must[*dralloc.Claims](t)(w.snapshot.Prepare(claimFor(fmt.Sprintf("member-%d", member), 1)))
		t.Cleanup(claims.Close)
		members = append(members, claims)
	}
	return members
}

// The members of a gang are placed together or not at all.
func TestGang(t *testing.T) {
	w := newWorld(t)
	defer w.close()
	nodesOf(t, w, 2)
	members := membersOf(t, w, 5)
	for _, test := range []struct {
		name     string
		members  int
		options  []dralloc.Option
		expected string
	}{
		{"one node", 2, nil, "placed: node-1 [0 1]"},
		{"several", 3, nil, "placed: node-1 [0 1] other-0 [2]"},
		{"equal slices", 3, []dralloc.Option{dralloc.WithSlices(dralloc.SameSlices, 0)},
			"placed: node-1 [0] other-0 [1] other-1 [2]"},
		{"too many", 5, nil, "infeasible: 4 of 5 members fit, there are too few devices"},
		{"one rack", 3, []dralloc.Option{dralloc.WithWithin(dralloc.DomainRack)},
			"infeasible: 2 of 3 members fit within one rack, elsewhere there are enough"},
		{"one node each", 2, []dralloc.Option{dralloc.WithSlices(dralloc.SlicesExactly, 1),
			dralloc.WithMostNodes(dralloc.DomainRack, 1),
			dralloc.WithDomainLabels(map[dralloc.DomainScope]string{dralloc.DomainRack: "rack"})},
			"placed: other-0 [0] other-1 [1]"},
	} {
		before := must[*dralloc.Savepoint](t)(w.transaction.Savepoint())
		gang := must[*dralloc.Gang](t)(w.transaction.Gang(t.Context(), members[:test.members], nil, test.options...))
		if found := gangText(gang); found != test.expected {
			t.Errorf("%s: found %s, expected %s", test.name, found, test.expected)
		}
		if err := w.transaction.Rollback(before); err != nil {
			t.Error(err)
		}
		before.Close()
	}

	ended, end := context.WithCancel(t.Context())
	end()
	gang := must[*dralloc.Gang](t)(w.transaction.Gang(ended, members[:2], nil))
	if gang.Outcome != dralloc.GangUnknown || gang.StopCause != dralloc.StopCancelled {
		t.Errorf("found %s", gang.JSON())
	}
	for _, test := range []struct {
		members  []*dralloc.Claims
		options  []dralloc.Option
		expected error
	}{
		{[]*dralloc.Claims{members[0], nil}, nil, dralloc.ErrNil},
		{[]*dralloc.Claims{members[0], members[0]}, nil, dralloc.ErrDuplicate},
		{members[:1], []dralloc.Option{dralloc.WithUser("pod")}, dralloc.ErrUnsupported},
		{members[:1], []dralloc.Option{dralloc.WithWithin("row")}, dralloc.ErrMalformed},
	} {
		if _, err := w.transaction.Gang(t.Context(), test.members, nil, test.options...); !errors.Is(err, test.expected) {
			t.Errorf("found %v, expected %v", err, test.expected)
		}
	}
}

func gangText(gang *dralloc.Gang) string {
	text := string(gang.Outcome) + ":"
	if gang.Shortage != nil {
		text += " " + gang.Shortage.Message
	}
	for _, node := range gang.Nodes {
		var places []int
		for _, member := range node.Members {
			places = append(places, member.Member)
		}
		text += fmt.Sprintf(" %s %v", node.Name, places)
	}
	return text
}

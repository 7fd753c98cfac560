/*
 * LogHistory as a specification: what a history of events in a log with one conditional write does, step by step, for a model checker.
 *
 * Each atomic step is one row read or written. Clients make calls of any kind, in any order; a reply may be lost, a write
 * may fail or come late, a client may be gone after any step, and the store may remove a tombstone once nobody can write
 * there any more. What is known of the truth (truth, known, newest) is written down beside the log and never read by it.
 *
 * Left out: parts, expiry, limits of reads. docs/event-log/README.md says how to run it, and what was explored.
 */

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef CALLS
#define CALLS 2
#endif
#ifndef FAULTS
#define FAULTS 1
#endif
#ifndef KINDS
#define KINDS 5 /* the first so many of these: */
#endif
#define ADD 0
#define POP 1
#define CLEAR 2
#define READ 3
#define TXN 4

#define AIMED_AT_AGAIN 2
#define EVENTS (CLIENTS * CALLS + 3)
#define RECORDS (2 * (CLIENTS * CALLS + 3))

typedef Event {
  bool there;
  byte id;      /* of the change */
  byte under;   /* where the history goes on: with the first keep records of this event */
  byte keep;
  byte size;    /* how many records it has left; record k of event s is 2 * s + k */
  byte life;
  byte first;   /* the events it made unreachable, until they are erased; none if first is 0 */
  byte last;
  byte rev;
  bool cut;
  bool final;
  bool op       /* bears the one operation of this model */
};
Event ev[EVENTS + 1];

/*
 * The newest aim of the operation in a life: at which events it may stand. The first aim is at one, the next ones at
 * several, each a row of its own at the next place.
 */
typedef Aim { bool there; byte aim; byte to; byte place };
Aim aims[EVENTS + 1];

/* A write that comes late. */
Event late;
byte lateSeq;

/* The truth. */
typedef List { byte length; byte record[RECORDS] };
List truth[EVENTS + 1];   /* what the history is after each event */
bool known[EVENTS + 1];   /* whether the operation is known then */
byte newest;
byte applied[EVENTS + 2]; /* how often each change took effect */
byte changes;

byte faults = FAULTS;
byte ended;

/* Where each client may still write: after the event that it takes for the newest, or where it tried to. */
byte mayFollow[CLIENTS + 1];
byte mayStand[CLIENTS + 1];

byte i;

/* The change takes effect: event s is written. */
inline apply(s, e, kind) {
  assert(s == newest + 1); /* or nobody would ever read it */
  ev[s].there = true; ev[s].id = e.id; ev[s].under = e.under; ev[s].keep = e.keep; ev[s].size = e.size;
  ev[s].life = e.life; ev[s].first = e.first; ev[s].last = e.last; ev[s].op = e.op;
  ev[s].rev = 0; ev[s].cut = false; ev[s].final = false;
  applied[e.id]++;
  assert(applied[e.id] == 1);
  newest = s;
  i = 0;
  do
  :: i < truth[s - 1].length && kind != CLEAR -> truth[s].record[i] = truth[s - 1].record[i]; i++
  :: else -> break
  od;
  if
  :: kind == POP -> assert(i > 0); i--; truth[s].record[i] = 0
  :: else
  fi;
  truth[s].length = i;
  i = 0;
  do
  :: i < e.size -> truth[s].record[truth[s].length] = 2 * s + i; truth[s].length++; i++
  :: else -> break
  od;
  known[s] = (kind != CLEAR && known[s - 1]) || kind == TXN;
  assert(kind != TXN || !known[s - 1]);
  i = 0
}

/* A crash or a fault, if there is one left. */
#define fault faults > 0 -> faults--

/* One step of a call: it happens, or the client is gone before it. */
#define step_(act) if :: atomic { act } :: atomic { fault; goto gone } fi

proctype Client(byte me; byte calls; bool isLast) {
  byte kind, n, cursor, left, row, size, rev, tried, start, placeSeq, placeKeep, aim, to, place, kindOf;
  bool isAimed;
  Event tail; byte seq;     /* what it takes for the newest event */
  bool isRemembered;
  Event e;                  /* the event of its change */

  /* Some have seen the first event already. */
  atomic {
    if
    :: !isLast -> isRemembered = true; seq = 1; tail.there = true; tail.size = 2
    :: true -> mayFollow[me] = EVENTS
    fi
  }
  do
  :: calls == 0 -> break
  :: calls > 0 ->
    calls--;
    atomic {
      if
      :: isLast -> kind = ADD
      :: !isLast -> select (kindOf : 0 .. KINDS - 1); kind = kindOf
      fi;
      kindOf = 0;
      start = newest;
      tried = 0;
      if
      :: kind == READ
      :: else -> changes++; e.id = changes
      fi
    }
    if
    :: kind == ADD && isRemembered && tail.first == 0 -> goto decide
    :: else
    fi;

  look:
    step_(
      isRemembered = false;
      seq = EVENTS;
      do
      :: seq > 0 && !ev[seq].there -> seq--
      :: else -> break
      od;
      if
      :: seq > 0 ->
        tail.there = true; tail.id = ev[seq].id; tail.under = ev[seq].under; tail.keep = ev[seq].keep;
        tail.size = ev[seq].size; tail.life = ev[seq].life; tail.first = ev[seq].first; tail.last = ev[seq].last;
        tail.rev = ev[seq].rev; tail.cut = ev[seq].cut; tail.final = ev[seq].final
      :: else -> tail.there = false; tail.under = 0; tail.keep = 0; tail.size = 0; tail.life = 0; tail.first = 0
      fi;
      mayFollow[me] = seq;
      placeSeq = (tail.size > 0 -> seq : tail.under);
      placeKeep = (tail.size > 0 -> tail.size : tail.keep)
    );
    /* Newest first, row by row: what comes in between is seen by nobody. */
    assert(seq >= start);

    if
    :: kind == READ ->
      left = truth[seq].length;
      do
      :: placeSeq == 0 -> break
      :: placeSeq != 0 && placeSeq == seq -> /* the same row */
        cursor = placeKeep;
        placeKeep = tail.keep; placeSeq = tail.under; row = seq;
        atomic {
          do
          :: cursor > 0 ->
            cursor--;
            assert(left > 0); left--;
            assert(truth[seq].record[left] == 2 * row + cursor)
          :: else -> break
          od
        }
      :: placeSeq != 0 && placeSeq != seq ->
        step_(
          row = placeSeq;
#ifndef NO_REREAD
          if
          :: !ev[row].there || ev[row].size < placeKeep -> goto look
          :: else
          fi;
#endif
          cursor = (ev[row].size < placeKeep -> ev[row].size : placeKeep);
          placeSeq = ev[row].under; placeKeep = ev[row].keep
        );
        atomic {
          do
          :: cursor > 0 ->
            cursor--;
            assert(left > 0); left--;
            assert(truth[seq].record[left] == 2 * row + cursor)
          :: else -> break
          od
        }
      od;
      assert(left == 0);
      isRemembered = (tail.there && !tail.cut && !tail.final);
      goto over
    :: else
    fi;

    /* The newest record, for a pop: its row, if it is another one. */
    if
    :: kind == POP && placeSeq != 0 && placeSeq != seq ->
      step_(
        row = placeSeq;
#ifndef NO_REREAD
        if
        :: !ev[row].there || ev[row].size < placeKeep -> goto look
        :: else
        fi;
#endif
        e.under = ev[row].under; e.keep = ev[row].keep
      )
    :: kind == POP && placeSeq == seq -> e.under = tail.under; e.keep = tail.keep
    :: else
    fi;

#ifndef NO_SWEEP
    /* What another one left. */
    if
    :: tail.first != 0 ->
      row = tail.first;
      do
      :: row > tail.last -> break
      :: row <= tail.last && row == tail.under ->
      cutTail:
        step_( size = ev[row].size; rev = ev[row].rev );
        if
        :: size > tail.keep ->
          step_(
            if
            :: ev[row].there && ev[row].rev == rev && !ev[row].final ->
              ev[row].size = tail.keep; ev[row].cut = true; ev[row].rev++
            :: !ev[row].there || ev[row].final
            :: else -> goto cutTail
            fi
          )
        :: else
        fi;
        row++
      :: row <= tail.last && row != tail.under ->
        step_(
          if
          :: ev[row].there -> ev[row].final = true; ev[row].size = 0
          :: else
          fi
        );
        row++
      od;
      if
      :: tail.life == seq ->
        step_( row = 0; do :: row < seq -> aims[row].there = false; row++ :: else -> break od )
      :: else
      fi;
      if
      :: tail.under == 0 ->
        step_(
          if
          :: ev[seq].there && !ev[seq].final && ev[seq].rev == tail.rev ->
            ev[seq].first = 0; ev[seq].size = tail.size; ev[seq].rev++
          :: else
          fi
        )
      :: else
      fi;
      tail.first = 0
    :: else
    fi;
#endif

  decide:
#ifndef NO_ID_CHECK
    if
    :: tried != 0 && seq >= tried ->
      step_(
        if
        :: ev[tried].there && ev[tried].id == e.id -> seq = tried; goto mine
        :: else -> tried = 0
        fi
      )
    :: else
    fi;
#endif

    if
    :: kind == TXN ->
      step_(
        isAimed = aims[tail.life].there; aim = aims[tail.life].aim; to = aims[tail.life].to;
        place = aims[tail.life].place; row = aim
      );
      if
      :: isAimed && aim > seq + 1 -> goto look
      :: isAimed && aim <= seq + 1 ->
        do
        :: row > seq || row > to -> break
        :: row <= seq && row <= to ->
          step_(
            if
            :: ev[row].there && ev[row].op -> assert(known[seq]); goto over
            :: else -> row++
            fi
          )
        od
      :: else
      fi
    :: else
    fi;

    /* The event. */
    n = seq + 1;
    if
    :: kind == POP && placeSeq == 0 -> assert(truth[seq].length == 0); goto over
    :: else
    fi;
    atomic {
      e.size = 0; e.first = 0; e.last = 0; e.op = false; e.life = tail.life;
      if
      :: kind == ADD || kind == TXN ->
        e.size = (kind == ADD -> 2 : 1);
        e.op = (kind == TXN);
        e.under = (tail.size > 0 -> seq : tail.under);
        e.keep = (tail.size > 0 -> tail.size : tail.keep)
      :: kind == POP ->
        e.first = placeSeq; e.last = placeSeq;
        if
        :: placeKeep > 1 -> e.under = placeSeq; e.keep = placeKeep - 1
        :: else
        fi
      :: kind == CLEAR ->
        e.under = 0; e.keep = 0; e.life = n; e.first = 1; e.last = n - 1
      fi
    }
#ifndef NO_AIM
    if
    :: kind == TXN && !(isAimed && aim <= n && n <= to) ->
      step_(
        if
        :: !isAimed && !aims[tail.life].there ->
          aims[tail.life].there = true; aims[tail.life].aim = n; aims[tail.life].to = n; aims[tail.life].place = 0
        :: isAimed && aims[tail.life].there && aims[tail.life].place == place ->
          aims[tail.life].aim = n; aims[tail.life].to = n + AIMED_AT_AGAIN - 1; aims[tail.life].place++
        :: else ->
          if
          :: aims[tail.life].there && aims[tail.life].aim == n
          :: else -> goto look
          fi
        fi
      )
    :: else
    fi;
#endif

    mayStand[me] = n;
    if
    :: atomic { ev[n].there -> mayStand[me] = tried; goto look }
    :: atomic { !ev[n].there -> apply(n, e, kind) }
    :: atomic { /* the reply is lost */
        !ev[n].there && faults > 0 -> faults--; apply(n, e, kind); tried = n; goto look }
    :: atomic { /* it comes late, or never */
        lateSeq == 0 && faults > 0 -> faults--; tried = n; lateSeq = n;
        late.id = e.id; late.under = e.under; late.keep = e.keep; late.size = e.size; late.life = e.life;
        late.first = e.first; late.last = e.last; late.op = e.op; late.rev = kind; goto look }
    :: atomic { fault; goto gone }
    fi;
    seq = n;

  mine:
    /* The change is made, as event seq. What it dropped goes. */
    assert(applied[e.id] == 1);
    if
    :: kind == POP -> assert(truth[seq - 1].length == truth[seq].length + 1)
    :: else
    fi;
    atomic {
      tail.there = true; tail.under = ev[seq].under; tail.keep = ev[seq].keep; tail.size = ev[seq].size;
      tail.life = ev[seq].life; tail.first = ev[seq].first; tail.last = ev[seq].last; tail.rev = ev[seq].rev;
      tail.cut = ev[seq].cut; tail.final = ev[seq].final;
      mayFollow[me] = seq; mayStand[me] = 0; tried = 0;
      isRemembered = !(tail.cut || tail.final);
      row = tail.first
    }
    if
    :: tail.first != 0 ->
      do
      :: row > tail.last -> break
      :: row <= tail.last && row == tail.under ->
      cutMine:
        step_( size = ev[row].size; rev = ev[row].rev );
        if
        :: size > tail.keep ->
          step_(
            if
            :: ev[row].there && ev[row].rev == rev && !ev[row].final ->
              ev[row].size = tail.keep; ev[row].cut = true; ev[row].rev++
            :: !ev[row].there || ev[row].final
            :: else -> goto cutMine
            fi
          )
        :: else
        fi;
        row++
      :: row <= tail.last && row != tail.under ->
        step_(
          if
          :: ev[row].there -> ev[row].final = true; ev[row].size = 0
          :: else
          fi
        );
        row++
      od;
      if
      :: tail.life == seq ->
        step_( row = 0; do :: row < seq -> aims[row].there = false; row++ :: else -> break od )
      :: else
      fi;
      if
      :: tail.under == 0 ->
        step_(
          if
          :: ev[seq].there && !ev[seq].final && ev[seq].rev == tail.rev ->
            ev[seq].first = 0; ev[seq].size = tail.size; ev[seq].rev++
          :: else
          fi
        )
      :: else
      fi;
      tail.first = 0
    :: else
    fi;
    goto over;

  gone:
    /* Another process takes its place, which knows nothing. */
    isRemembered = false;
  over:
    atomic {
      mayFollow[me] = (isRemembered -> seq : EVENTS);
      mayStand[me] = 0;
      row = 0; size = 0; rev = 0; cursor = 0; left = 0; aim = 0; to = 0; place = 0; isAimed = false; n = 0; tried = 0;
      placeSeq = 0; placeKeep = 0; e.under = 0; e.keep = 0; e.size = 0; e.id = 0; e.first = 0; e.last = 0; e.op = false; e.life = 0
    }
  od;
  atomic { mayFollow[me] = EVENTS; ended++ }
}

/* Whether a tombstone may go. An operation's stays as long as its life. */
#ifdef FORGET_TOMBSTONES
#define goes(s) (ev[s].there && ev[s].final)
#else
#define goes(s) (ev[s].there && ev[s].final && c > CLIENTS && lateSeq != s && !(ev[s].op && ev[s].life == ev[newest].life))
#endif

/* The store takes late writes, and removes tombstones where nobody can write any more. */
active proctype Store() {
  byte s, c;
end:
  do
  :: atomic {
      lateSeq != 0 ->
      if
      :: !ev[lateSeq].there -> apply(lateSeq, late, late.rev)
      :: true /* there is one, or this one is lost for good */
      fi;
      lateSeq = 0
    }
#ifndef KEEP_TOMBSTONES
  :: atomic {
      select (s : 1 .. EVENTS - 1);
      c = 0;
      do
      :: c <= CLIENTS && mayFollow[c] >= s && mayStand[c] != s -> c++
      :: else -> break
      od;
      if
      :: goes(s) -> ev[s].there = false
      :: else
      fi;
      s = 0; c = 0
    }
#endif
  od
}

init {
  byte c, s, reachable;
  atomic {
    /* A history of two records. */
    ev[1].there = true; ev[1].size = 2;
    truth[1].length = 2; truth[1].record[0] = 2; truth[1].record[1] = 3;
    newest = 1;
    c = 0;
    do
    :: c <= CLIENTS -> mayFollow[c] = EVENTS; c++
    :: else -> break
    od;
    c = 0;
    do
    :: c < CLIENTS -> mayFollow[c] = 1; run Client(c, CALLS, false); c++
    :: else -> break
    od
  }
  ended == CLIENTS && lateSeq == 0;
  faults = 0;
  mayFollow[CLIENTS] = 0;
  run Client(CLIENTS, 1, true);
  ended == CLIENTS + 1;
  /* After a later write nothing is left that cannot be reached, and nothing is missing. */
  atomic {
    s = 1;
    do
    :: s <= newest ->
      reachable = 0; c = 0;
      do
      :: c < truth[newest].length -> if :: truth[newest].record[c] / 2 == s -> reachable++ :: else fi; c++
      :: else -> break
      od;
      assert((ev[s].there -> ev[s].size : 0) == reachable);
      s++
    :: else -> break
    od
  }
}

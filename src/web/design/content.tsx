import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { MonthsCalendar } from '../ui/calendar.tsx'
import { CalendarLegend, type DayState } from '../ui/calendar-day.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Page } from '../ui/page.tsx'
import { StatCard } from '../ui/stat-card.tsx'
import { DataTable } from '../ui/table.tsx'
import type { Part } from './part.ts'

const payments = [
  { id: 1, date: 'Nov 3, 2026', what: 'Deposit', amount: '$450.00' },
  { id: 2, date: 'Nov 12, 2026', what: 'Rent', amount: '$1,935.00' },
]

/** A day of each kind in June 2027. */
const days: Record<string, DayState> = {
  '2027-06-02': { tone: 'booked', label: 'Booked' },
  '2027-06-03': { tone: 'booked', label: 'Booked' },
  '2027-06-09': { tone: 'selected' },
  '2027-06-10': { tone: 'selected' },
  '2027-06-11': { tone: 'selected' },
  '2027-06-17': { tone: 'noArrival' },
  '2027-06-24': { tone: 'unavailable', label: 'Painting' },
}

export const content: readonly Part[] = [
  {
    file: 'page',
    about: 'The frame of every signed-in screen: one heading, one line about it, the actions beside it.',
    wide: true,
    states: [
      [
        'With an action',
        <Page
          key="s"
          title="Payments"
          subtitle="All that you have paid."
          action={<Button>Make a Payment</Button>}
        >
          <p className="text-muted">The content.</p>
        </Page>,
      ],
    ],
  },
  {
    file: 'card',
    about: 'Groups related content. The heading says what it is, the action is beside it.',
    wide: true,
    states: [
      [
        'With heading and action',
        <Card key="s">
          <CardHeader
            title="Lease"
            subtitle="Signed on Nov 3, 2026"
            action={<Button size="sm">Open</Button>}
          />
          <CardBody>The signed lease and its certificate.</CardBody>
        </Card>,
      ],
    ],
  },
  {
    file: 'badge',
    about: 'A status in a word or two. Color repeats what the word says.',
    states: [
      [
        'Done',
        <Badge key="s" tone="green">
          Paid
        </Badge>,
      ],
      [
        'In progress',
        <Badge key="s" tone="blue">
          Approved
        </Badge>,
      ],
      [
        'Waiting',
        <Badge key="s" tone="yellow">
          Pending
        </Badge>,
      ],
      [
        'Refused or late',
        <Badge key="s" tone="red">
          Overdue
        </Badge>,
      ],
      ['Neutral', <Badge key="s">Draft</Badge>],
    ],
  },
  {
    file: 'stat-card',
    about: 'One number and what it counts.',
    states: [
      ['A number', <StatCard key="s" className="w-56" label="Received this year" value="$41,300.00" />],
      [
        'With a hint',
        <StatCard key="s" className="w-56" label="Overdue" value="$2,385.00" hint="1 payment" />,
      ],
    ],
  },
  {
    file: 'definition-list',
    about: 'Labels and values to read. A dash means that there is none.',
    wide: true,
    states: [['Two columns', <DefinitionList key="s" items={facts()} />]],
  },
  {
    file: 'disclosure',
    about: 'What few people need, folded behind one line.',
    states: [
      [
        'Closed',
        <Disclosure key="s" summary="Prefer paper?">
          <p>Download the lease and sign it.</p>
        </Disclosure>,
      ],
      [
        'Open',
        <Disclosure key="s" summary="Prefer paper?" open>
          <p>Download the lease and sign it.</p>
        </Disclosure>,
      ],
    ],
  },
  {
    file: 'table',
    about: 'Rows to compare. Below 640 px each row is a card; numbers are right-aligned.',
    wide: true,
    states: [
      [
        'Sorted by date',
        <DataTable
          key="s"
          caption="Payments"
          rows={payments}
          columns={columns()}
          rowKey={row => row.id}
          sort={{ key: 'date', direction: 'desc' }}
          onSort={() => undefined}
        />,
      ],
    ],
  },
  {
    file: 'calendar',
    about: 'A month grid for mouse, touch and arrow keys. Each state has a symbol as well as a color.',
    wide: true,
    states: [
      [
        'Two months',
        <MonthsCalendar
          key="s"
          label="Sample"
          month="2027-06"
          months={2}
          onMonthChange={() => undefined}
          today="2027-06-01"
          dayState={date => days[date] ?? { tone: 'available' }}
          onDayClick={() => undefined}
        />,
      ],
    ],
  },
  {
    file: 'calendar-day',
    about: 'The legend of the days that a calendar shows.',
    states: [
      [
        'All',
        <CalendarLegend
          key="s"
          items={[
            { tone: 'available', label: 'Available' },
            { tone: 'selected', label: 'Your dates' },
            { tone: 'booked', label: 'Booked' },
            { tone: 'noArrival', label: 'No arrival' },
            { tone: 'past', label: 'Past' },
          ]}
        />,
      ],
    ],
  },
]

function facts() {
  return [
    { label: 'Arrival', value: 'Nov 28, 2026' },
    { label: 'Departure', value: 'Dec 8, 2026' },
    { label: 'Guests', value: '4' },
    { label: 'Vehicle', value: '' },
  ]
}

function columns() {
  return [
    { key: 'date', header: 'Date', sortable: true, cell: (row: (typeof payments)[0]) => row.date },
    { key: 'what', header: 'For', cell: (row: (typeof payments)[0]) => row.what },
    {
      key: 'amount',
      header: 'Amount',
      align: 'right' as const,
      cell: (row: (typeof payments)[0]) => row.amount,
    },
  ]
}

import { Inbox } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { toast } from '../ui/toast.ts'
import type { Part } from './part.ts'

const noData = { data: undefined, refetch: () => undefined }

export const messages: readonly Part[] = [
  {
    file: 'notice',
    about: 'A banner that belongs to the screen, with at most one action.',
    wide: true,
    states: [
      ['Info', <Notice key="s" title="Your dates are waiting" action={<Button size="sm">Go on</Button>} />],
      [
        'Success',
        <Notice key="s" tone="success" title="Everything is paid">
          We look forward to your stay.
        </Notice>,
      ],
      ['Warning', <Notice key="s" tone="warning" title="This is $2,700.00 more than you owe." />],
      [
        'Danger',
        <Notice key="s" tone="danger" title="A payment is overdue">
          $2,385.00 were due on Nov 15.
        </Notice>,
      ],
    ],
  },
  {
    file: 'empty-state',
    about: 'Nothing is there yet: what will be here, and the way to get it.',
    wide: true,
    states: [
      [
        'A whole list',
        <EmptyState
          key="s"
          icon={<Inbox />}
          title="No applications yet"
          hint="New ones appear here, and you get a mail."
          action={<Button>New Booking</Button>}
        />,
      ],
      ['In a card', <EmptyState key="s" compact title="No payments yet" />],
    ],
  },
  {
    file: 'error-state',
    about: 'What could not be loaded, and a button that tries again.',
    wide: true,
    states: [
      ['After a failure', <ErrorState key="s" message="Failed to load payments" onRetry={() => undefined} />],
    ],
  },
  {
    file: 'spinner',
    about: 'Says what is being loaded where nothing is known of its shape.',
    states: [['Loading', <Spinner key="s" label="Loading payments..." />]],
  },
  {
    file: 'skeleton',
    about: 'Reserves space while content loads, so that the layout does not shift.',
    states: [
      [
        'Two lines',
        <div key="s" className="grid w-64 gap-2">
          <Skeleton />
          <Skeleton className="h-5 w-2/3" />
        </div>,
      ],
    ],
  },
  {
    file: 'query-view',
    about: 'Loading, error, empty or content of one query. Existing data stays visible during a refetch.',
    wide: true,
    states: [
      [
        'Loading',
        <QueryView key="s" query={{ ...noData, isPending: true, isError: false }} loading="Loading rates...">
          {() => null}
        </QueryView>,
      ],
      [
        'Failed',
        <QueryView
          key="s"
          query={{ ...noData, isPending: false, isError: true }}
          loading=""
          error="Failed to load rates"
        >
          {() => null}
        </QueryView>,
      ],
    ],
  },
  {
    file: 'progress-bar',
    about: 'The progress of a booking or an upload.',
    wide: true,
    states: [
      ['Half way', <ProgressBar key="s" label="Booking progress" percent={50} />],
      ['Compact', <ProgressBar key="s" compact label="Booking progress" percent={83} />],
    ],
  },
  {
    file: 'toasts',
    about:
      'The result of an action, shown for a few seconds without covering a control. What must not be missed is in the page, too.',
    states: [
      [
        'Success, error, loading',
        <Button key="s" variant="secondary" data-opens="toasts" onClick={showToasts}>
          Show three
        </Button>,
      ],
    ],
  },
]

function showToasts() {
  toast.success('Payment recorded')
  toast.error('Refund failed', 'The provider did not answer. Please try again.')
  toast.loading('Generating the lease...')
}

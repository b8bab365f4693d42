import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { QueryView } from './query-view.tsx'

type Rates = { rates: string[] }

function draw(query: { data?: Rates; isError?: boolean }) {
  return renderToStaticMarkup(
    <QueryView
      query={{
        data: query.data,
        isPending: !query.data,
        isError: query.isError ?? false,
        refetch: () => undefined,
      }}
      loading="Loading rates..."
      error="Failed to load rates"
      empty={({ rates }) => rates.length === 0 && <p>No rates found</p>}
    >
      {({ rates }) => <p>{rates.join(', ')}</p>}
    </QueryView>,
  )
}

test('announces that data is loading', () => {
  expect(draw({})).toMatch(/role="status".*Loading rates\.\.\./)
})

test('offers to retry after an error', () => {
  expect(draw({ isError: true })).toMatch(/role="alert".*Failed to load rates.*Try Again/)
})

test('shows a message if there is no data', () => {
  expect(draw({ data: { rates: [] } })).toBe('<p>No rates found</p>')
})

test('keeps showing data if a background refetch fails', () => {
  expect(draw({ data: { rates: ['Peak Season'] }, isError: true })).toBe('<p>Peak Season</p>')
})

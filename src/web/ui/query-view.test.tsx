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

test('loading is announced', () => {
  expect(draw({})).toMatch(/role="status".*Loading rates\.\.\./)
})

test('an error offers to try again', () => {
  expect(draw({ isError: true })).toMatch(/role="alert".*Failed to load rates.*Try Again/)
})

test('nothing to show is said in words', () => {
  expect(draw({ data: { rates: [] } })).toBe('<p>No rates found</p>')
})

test('data stays on the screen when a refresh in the background fails', () => {
  expect(draw({ data: { rates: ['Peak Season'] }, isError: true })).toBe('<p>Peak Season</p>')
})

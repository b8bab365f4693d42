import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { api } from './api.ts'
import { queryKeyOf, siteQueries } from './site-queries.ts'

function Part({ read }: { read: () => void }) {
  read()
  return null
}

/** Renders a component that calls the hook, and returns the hook's result. */
function resultOf<Value>(queries: QueryClient, useHook: () => Value): Value {
  const seen: Value[] = []
  renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <Part read={() => seen.push(useHook())} />
    </QueryClientProvider>,
  )
  return seen[0] as Value
}

test('hooks return cached data until it is updated or invalidated', async () => {
  const asked = vi.fn(async (_: unknown) => Response.json([{ result: { data: { rates: [] } } }]))
  vi.stubGlobal('fetch', asked)
  const queries = new QueryClient()
  const utils = resultOf(queries, () => api.useUtils())

  expect(await utils.rates.list.fetch()).toEqual({ rates: [] })
  expect(asked).toHaveBeenCalledOnce()
  expect(asked.mock.calls[0]?.[0]).toMatch(/^\/trpc\/rates\.list\?/)
  expect(resultOf(queries, () => api.rates.list.useQuery()).data).toEqual({ rates: [] })

  const dates = { startDate: '2027-01-01', endDate: '2027-01-31' }
  const window = { availability: [] }
  utils.availability.range.setData(dates, window)
  expect(utils.availability.range.getData(dates)).toBe(window)
  expect(utils.availability.range.getData({ ...dates, endDate: '2027-02-28' })).toBeUndefined()

  await utils.rates.invalidate()
  const isStale = (queryKey: readonly unknown[]) => queries.getQueryState(queryKey)?.isInvalidated
  expect(isStale(queryKeyOf('rates.list'))).toBe(true)
  expect(isStale(queryKeyOf('availability.range', dates))).toBe(false)
  await utils.invalidate()
  expect(isStale(queryKeyOf('availability.range', dates))).toBe(true)
})

test("hooks use the same query keys as the data in the server's document", () => {
  const utils = resultOf(new QueryClient(), () => api.useUtils())
  expect(utils.site.get.queryOptions().queryKey).toEqual(siteQueries.site().queryKey)
  const page = { page: 'home' } as const
  expect(utils.site.content.queryOptions(page).queryKey).toEqual(siteQueries.content('home').queryKey)
})

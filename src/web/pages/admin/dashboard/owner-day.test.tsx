// @vitest-environment dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { appOfFile, changeAnswer, openScreen, press } from '../../../../testing/component.tsx'

const site = appOfFile()

async function openWith(count: number) {
  changeAnswer('notices.ownerDay', data => {
    const task = (at: number) => ({
      applicationId: `${at}`,
      kind: 'owed',
      title: `Guest ${at} owes`,
      detail: '',
    })
    data.tasks = Array.from({ length: count }, (_, at) => ({ ...task(at), action: 'Send reminder' }))
    data.taskCount = count
  })
  await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
  return within(await screen.findByRole('region', { name: 'Needs you' }))
}

test('tasks are folded from eight on, never a single one, and lead to the dialog of the step [LOOK-70]', async () => {
  const seven = await openWith(7)
  const links = seven.getAllByRole('link')
  expect(links).toHaveLength(7)
  expect(links[0]?.getAttribute('href')).toBe('/admin/application/0#owed')
  expect(seven.queryByRole('button')).toBeNull()
  const eight = await openWith(8)
  expect(eight.getAllByRole('link')).toHaveLength(6)
  await press('Show 2 more', eight)
  expect(eight.getAllByRole('link')).toHaveLength(8)
})

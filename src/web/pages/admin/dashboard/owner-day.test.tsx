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

test('a guest who waits for an answer is one task, with a button to reply [MSG-06]', async () => {
  changeAnswer('notices.list', data => {
    const notice = { tone: 'warning', detail: '', at: null }
    data.notices = ['1', '2'].map(applicationId => ({
      ...notice,
      id: `message-waiting-${applicationId}`,
      title: `Guest ${applicationId} has waited`,
      action: { kind: 'application', applicationId },
    }))
  })
  changeAnswer('notices.ownerDay', data => {
    const task = { applicationId: '1', kind: 'message', title: 'Guest 1 wrote 22 days ago', detail: '' }
    data.tasks = [{ ...task, action: 'Reply' }]
    data.taskCount = 1
  })
  await openScreen(site.app, '/admin/dashboard', await site.app.makeAdmin())
  const tasks = within(await screen.findByRole('region', { name: 'Needs you' }))
  await tasks.findByText('Needs you (2)')
  expect(tasks.getAllByRole('link').map(link => link.getAttribute('aria-label'))).toEqual([
    'Open: Guest 2 has waited',
    'Reply: Guest 1 wrote 22 days ago',
  ])
})

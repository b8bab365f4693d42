import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import type { ApplicationFormValues } from '../../domain/bookings/application-form.ts'
import { adminToken, call, makeTenant, tokenOf } from './accounts.ts'
import { makeApplication } from './applications.ts'
import { admin, type Site } from './site.ts'

type Status = Parameters<typeof makeApplication>[2]

/** A unique last name, so that a search finds only these applications. */
export const newSurname = () => `Z${randomUUID().replace(/[^a-z]/g, '')}`

/** Submits an application from a new tenant and sets its status. */
export async function apply(
  site: Site,
  status: Status = 'pending',
  values: Partial<ApplicationFormValues> = {},
) {
  const lastName = values.lastName ?? newSurname()
  const account = await makeTenant(site, { lastName })
  const token = await tokenOf(site, account)
  const id = await makeApplication(site, token, status, { lastName, ...values })
  return { id, number: await numberOf(site, id), account, token, lastName }
}

export async function numberOf(site: Site, id: string): Promise<string> {
  return (await asAdmin(site, 'GET', `/api/application/admin/${id}`)).application.applicationNumber
}

/** Opens a screen with a session of the owner that is set before the first page loads. */
export async function openAsAdmin(page: Page, site: Site, path: string) {
  const token = await tokenOf(site, admin)
  await page.addInitScript(value => {
    localStorage.setItem('token', value)
    localStorage.setItem('lastActivity', String(Date.now()))
  }, token)
  await page.goto(path)
}

/** Calls a REST path as the owner. */
export async function asAdmin(site: Site, method: string, path: string, body?: unknown) {
  return call(site, method, path, { token: await adminToken(site), body })
}

/** Makes one procedure fail, but not the others in the same batch. */
export async function failOnly(page: Page, procedure: string) {
  await page.route(/\/trpc\//, async route => {
    const names = new URL(route.request().url()).pathname.slice('/trpc/'.length).split(',')
    if (!names.includes(procedure)) return route.fallback()
    const response = await route.fetch()
    const answers = (await response.json()) as unknown[]
    const message = 'Something went wrong. Please try again.'
    const error = { error: { message, code: -32603, data: { code: 'X', httpStatus: 500 } } }
    const json = answers.map((answer, i) => (names[i] === procedure ? error : answer))
    return route.fulfill({ response, status: 207, json })
  })
}

export const notifications = (page: Page) => page.getByLabel('Notifications')

/** Chooses from the menu 'More actions' of a card. */
export async function chooseIn(card: Locator, name: string) {
  await card.getByRole('button', { name: 'More actions' }).click()
  await card.getByRole('menuitem', { name, exact: true }).click()
}

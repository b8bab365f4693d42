import { randomUUID } from 'node:crypto'
import { buildOffer, offerPerson } from '../build-offer.ts'
import { adminToken, call, mailedLink, makeTenant, tokenOf } from './accounts.ts'
import { day } from './applications.ts'
import { makeLease } from './leases.ts'
import { admin, expect, type Site, test } from './site.ts'

// A site of its own, whose clock goes on.
test.use({ siteEnv: { CLOCK_OFFSET: '2m' } })
test.setTimeout(120_000)

/** Five links as their people get them, after a stay of three nights; what is stored of each, and how it is used. */
async function mailLinks(site: Site) {
  const account = await makeTenant(site)
  let [guest, owner] = [await tokenOf(site, account), await adminToken(site)]
  const ask = (method: string, path: string, body?: object, token?: string) =>
    call(site, method, path, { token: token ?? owner, ...(body && { body }) })
  for (const [section, more] of [
    ['stay', { guestCodes: true }],
    ['messages', {}],
    ['reviews', {}],
  ] as const) {
    const { body, version } = await ask('GET', `/api/setup/admin/${section}`)
    await ask('PUT', `/api/setup/admin/${section}`, { version, body: { ...body, ...more, enabled: true } })
  }
  const lockId = randomUUID()
  const locks = [{ id: lockId, name: 'Front door', kind: 'standing', digits: 4, hint: '' }]
  await ask('PUT', '/api/stay/admin/arrival/entry', { version: 0, body: { text: '', locks } })
  await ask('POST', `/api/stay/admin/locks/${lockId}/code`, { code: '4711' })
  const { id } = await makeLease(site, guest, { requestedStartDate: day(1), requestedEndDate: day(4) })
  const hold = { hold: 'open', reason: 'Known guest' }
  await ask('PUT', `/api/stay/admin/${id}/gate`, hold)
  const { url } = await ask('POST', `/api/stay/${id}/guest`, { name: 'Ben', withCode: true }, guest)
  await ask('POST', `/api/message/admin/${id}`, { body: 'Was it fine?', requestId: randomUUID() })
  const people = { secondApplicantFirstName: 'Zoë', secondApplicantLastName: 'Müller' }
  const { id: next } = await makeLease(site, guest, people)

  await site.restart({ CLOCK_OFFSET: '7d' })
  ;[guest, owner] = [await tokenOf(site, account), await tokenOf(site, admin)]
  const review = await mailedLink(site, account.email, '/review#')
  // The thank-you mail is sent after the stay; then the stay is reopened.
  await ask('PUT', `/api/stay/admin/${id}/gate`, { ...hold, until: day(11) })
  const [zoe, anna] = ['zoe', 'anna'].map(name => `${name}-${id.slice(0, 8)}@guest.example`)
  await ask('POST', `/api/signer/admin/${next}/invite`, { signers: [{ role: 'co_tenant', email: zoe }] })
  const offered = buildOffer({ email: anna ?? '', startDate: day(20), endDate: day(34) })
  const { claim } = await ask('POST', '/api/offer/admin', offered)
  return {
    sign: {
      link: await mailedLink(site, zoe ?? '', '/sign#'),
      stored: async () => {
        const { of, signed, state } = (await ask('GET', `/api/signer/${next}`)).signing
        return { of, signed, state }
      },
      use: async (token: string) => {
        const opened = await call(site, 'POST', '/api/signer/open', { body: { token } })
        const [{ textSha256 }, { noticeSha256 }] = [opened.document, opened]
        const body = { token, typedName: 'Zoë Müller', consent: true, textSha256, noticeSha256 }
        return call(site, 'POST', '/api/signer/sign', { body })
      },
    },
    stay: {
      link: new URL(url).pathname + new URL(url).hash,
      stored: async () => {
        const { codesVersion, gate } = (await ask('GET', `/api/stay/${id}`, undefined, guest)).stay
        return { codesVersion, gate }
      },
      use: (token: string) => call(site, 'POST', '/api/stay/open/code', { body: { token, ...{ lockId } } }),
    },
    reply: {
      link: await mailedLink(site, account.email, '/reply#'),
      stored: () => ask('GET', `/api/message/${id}`, undefined, guest),
      use: (token: string) =>
        call(site, 'POST', '/api/message/reply', {
          body: { token, ...{ body: 'Yes, thank you.', requestId: randomUUID() } },
        }),
    },
    review: {
      link: review,
      stored: () => ask('GET', `/api/review/${id}`),
      use: (token: string) =>
        call(site, 'POST', '/api/review/write', {
          body: {
            token,
            ...{ rating: 5, title: '', text: 'We loved the balcony and the sea.', name: 'first' },
          },
        }),
    },
    offer: {
      link: await mailedLink(site, anna ?? '', '/offer#'),
      stored: async () => {
        const { state, version } = (await ask('GET', `/api/offer/admin/${claim.id}`)).claim
        return { state, version }
      },
      use: (token: string) =>
        call(site, 'POST', '/api/offer/accept', {
          body: { token, ...{ typedName: 'Anna Miller', totalCents: claim.totalCents, person: offerPerson } },
        }),
    },
  }
}

test('a mail scanner that opens each link and presses every button signs, writes and accepts nothing, and uses nothing up [SIGNER-03, SIGNER-06, STAY-27, STAY-28, CLAIM-17]', async ({
  browser,
  site,
}) => {
  const links = await mailLinks(site)
  const context = await browser.newContext({ baseURL: site.url })
  const scanner = await context.newPage()
  const foreign: string[] = []
  scanner.on('request', request => {
    if (!request.url().startsWith(site.url) && !/^(blob|data):/.test(request.url()))
      foreign.push(request.url())
  })
  for (const [name, { link, stored, use }] of Object.entries(links)) {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(`${site.url}/${name}`, { method })
      expect(response.status).toBe(200)
      expect(await response.text()).not.toMatch(/Zoë|Müller|Rivers|Miller|token=/)
    }
    const before = await stored()
    await scanner.goto(link)
    await expect(scanner.getByRole('main').getByRole('button').first()).toBeVisible()
    const buttons = scanner.locator('button')
    // What a button opens ends with the one that sends it.
    for (let at = 0; at < (await buttons.count()); at++)
      for (const button of [buttons.nth(at), buttons.last()]) {
        await button.dispatchEvent('click')
        await scanner.waitForTimeout(100)
      }
    expect(await stored(), name).toEqual(before)
    await use(link.split('#')[1] ?? '')
  }
  expect(foreign).toEqual([])
  await context.close()
})

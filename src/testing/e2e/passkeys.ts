import type { Page } from '@playwright/test'
import { type Account, call, confirmMailbox } from './accounts.ts'
import type { Site } from './site.ts'

/** Gives the browser a virtual fingerprint reader that accepts every user by default. */
export async function addFingerprintReader(page: Page) {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setVerified: (isUserVerified: boolean) =>
      devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

/**
 * Adds a passkey of this browser to an account, after a step-up of the session. Tests must remove the passkey, because
 * they share the site and its login screens offer passkeys as long as one exists.
 */
export async function addPasskey(page: Page, site: Site, account: Account, token: string) {
  const reader = await addFingerprintReader(page)
  await confirmMailbox(site, account, token)
  await call(site, 'POST', '/api/factor/step-up', { token, body: { password: account.password } })
  const { options } = await call(site, 'POST', '/api/factor/passkey/options', { token })
  const credential = await page.evaluate(async json => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json)
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON()
  }, options)
  const body = { name: 'My laptop', credential }
  const { factor } = await call(site, 'POST', '/api/factor/passkey', { token, body })
  return {
    ...reader,
    remove: (provenToken: string) => call(site, 'DELETE', `/api/factor/${factor.id}`, { token: provenToken }),
  }
}

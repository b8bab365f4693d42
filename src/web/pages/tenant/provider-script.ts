import { useEffect } from 'react'
import type { Site } from '../../api/site.ts'

const source = 'https://js.stripe.com/v3/'

type Provider = (publishableKey: string) => unknown
declare global {
  interface Window {
    Stripe?: Provider
  }
}

/**
 * Loads the card provider's fraud detection script, only on the payment page. Payments work without the script, so a
 * failure is only logged.
 */
export function useProviderScript(site: Pick<Site, 'publishableKey'> | undefined): void {
  const publishableKey = site?.publishableKey
  useEffect(() => {
    if (publishableKey === undefined) return
    if (publishableKey === null) {
      console.warn('The card provider’s script is not loaded: no publishable key is set.')
      return
    }
    loadScript()
      .then(() => window.Stripe?.(publishableKey))
      .catch(error => console.warn('The card provider’s script could not be started:', error))
  }, [publishableKey])
}

function loadScript(): Promise<unknown> {
  if (window.Stripe) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = source
    script.async = true
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => {
      // So that the next visit to the page retries.
      script.remove()
      reject(new Error(`${source} could not be loaded`))
    })
    document.head.append(script)
  })
}

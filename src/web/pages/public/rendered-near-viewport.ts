import { storedToken } from '../../api/token.ts'
import { nearViewport } from '../../ui/near-viewport.ts'

const signedInAtStart = storedToken() !== null

/**
 * Resolves once the server-rendered element with this id is near the viewport. Immediately where there is none: on the
 * server, and in a browser that renders the part itself. Immediately for signed-in users, too: their header changes
 * soon, and React then drops what is not hydrated yet.
 */
export async function renderedNearViewport(id: string): Promise<void> {
  if (typeof document === 'undefined' || signedInAtStart) return
  const element = document.getElementById(id)
  if (element) await nearViewport(element)
}

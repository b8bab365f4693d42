import { storedToken } from '../../api/token.ts'
import { nearViewport } from '../../ui/near-viewport.ts'

const signedInAtStart = storedToken() !== null

/**
 * Resolves when the server-rendered element with this id is near the viewport. Resolves immediately if there is no such
 * element: on the server, and in a browser that renders the part itself. Also immediately for signed-in users: their
 * header changes soon, and React then discards what is not hydrated yet.
 */
export async function renderedNearViewport(id: string): Promise<void> {
  if (typeof document === 'undefined' || signedInAtStart) return
  const element = document.getElementById(id)
  if (element) await nearViewport(element)
}

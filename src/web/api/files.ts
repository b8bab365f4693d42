const calls = () => import('./file-calls.ts')

/** Fetches a file with the session's token; see `fetchFile` in `file-calls.ts`, which is loaded on the first call. */
export const fetchFile = async (path: string, input?: unknown) => (await calls()).fetchFile(path, input)

/** Uploads a form with a file; see `sendForm` in `file-calls.ts`. */
export const sendForm = async (path: string, form: FormData, onPercent: (percent: number) => void) =>
  (await calls()).sendForm(path, form, onPercent)

/** How long an object URL stays valid. */
const addressLifetimeMs = 1000

/** Saves a file under the given name. */
export function saveFile(file: Blob, fileName: string): void {
  const link = document.createElement('a')
  link.href = addressOf(file)
  link.download = fileName
  link.click()
}

/**
 * Opens a file in a new tab. The tab opens before the file is loaded, because browsers allow it only right after a
 * click.
 */
export async function openFile(load: () => Promise<Blob>): Promise<void> {
  const tab = window.open('', '_blank')
  if (!tab) throw new Error('The browser did not open a new tab')
  tab.opener = null
  tab.document.title = 'Opening...'
  try {
    tab.location.replace(addressOf(await load()))
  } catch (error) {
    tab.close()
    throw error
  }
}

function addressOf(file: Blob): string {
  const address = URL.createObjectURL(file)
  setTimeout(() => URL.revokeObjectURL(address), addressLifetimeMs)
  return address
}

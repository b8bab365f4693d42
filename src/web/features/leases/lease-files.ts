import { readToken } from '../../app/token.ts'

// Files go over REST, with the same bearer token as every other call.

/** A call with a file that did not go through: with the server's sentence where it refused, without a status where nobody answered. */
export class FileCallError extends Error {
  constructor(
    readonly status: number | undefined,
    /** The server's words, for a refusal (4xx) alone. */
    readonly sentence: string | undefined,
  ) {
    super(sentence ?? 'the file could not be transferred')
  }
}

/** The signed lease of an application. @throws FileCallError */
export async function fetchSignedLease(applicationId: string): Promise<Blob> {
  const response = await fetch(`/api/lease/view-signed/${encodeURIComponent(applicationId)}`, {
    headers: bearer(),
  }).catch(() => {
    throw new FileCallError(undefined, undefined)
  })
  if (response.ok) return response.blob()
  throw refusal(response.status, await response.text())
}

const shownTypes = ['application/pdf', 'image/jpeg', 'image/png']
/** Time for the new tab to take the file; spec §7. */
const revokeAfterMs = 1000

/** Shows a file in a tab of its own; saves it where the browser lets none open, or could run what is in it. */
export function openFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const isShown = shownTypes.includes(file.type) && window.open(url, '_blank') !== null
  if (!isShown) {
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
  }
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs)
}

/**
 * Sends a form with a file and tells how much of it has left, 0 to 100; at 100 the server is checking and storing it.
 * @throws FileCallError
 */
export function sendFile(path: string, form: FormData, onPercent: (percent: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    for (const [name, value] of Object.entries(bearer())) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onPercent(total > 0 ? (loaded / total) * 100 : 0)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(refusal(request.status, request.responseText))
    }
    request.onerror = () => reject(new FileCallError(undefined, undefined))
    request.onabort = request.onerror
    request.send(form)
  })
}

function bearer(): Record<string, string> {
  const token = readToken()
  return token ? { authorization: `Bearer ${token}` } : {}
}

function refusal(status: number, body: string): FileCallError {
  return new FileCallError(status, status < 500 ? sentenceOf(body) : undefined)
}

function sentenceOf(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

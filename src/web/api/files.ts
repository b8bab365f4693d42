import { TRPCClientError } from '@trpc/client'
import type { StepUpMethod } from '../../domain/common/errors.ts'
import { withStepUp } from './step-up.ts'
import { tokenForCall } from './token.ts'

/**
 * Downloads a file with the session's token; uses POST if `input` is given. Prompts for a step-up if the server
 * requires one. Rejects with the same errors as API calls, so that `failureOf` can read them.
 */
export function fetchFile(path: string, input?: unknown): Promise<Blob> {
  return withStepUp(() => loadFile(path, input))
}

async function loadFile(path: string, input: unknown): Promise<Blob> {
  const headers = bearer()
  const response =
    input === undefined
      ? await fetch(path, { headers })
      : await fetch(path, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(input),
        })
  if (!response.ok) throw refusal(response.status, await response.text())
  return response.blob()
}

/**
 * Uploads a form with a file, reports the progress from 0 to 100, and resolves to the HTTP status. Prompts for a step-up
 * if the server requires one. Rejects with the same errors as API calls.
 */
export const sendForm = (...upload: Upload): Promise<UploadResponse> => withStepUp(() => postForm(...upload))

type Upload = [path: string, form: FormData, onPercent: (percent: number) => void]
type UploadResponse = { status: number; body: unknown }

function postForm(...[path, form, onPercent]: Upload): Promise<UploadResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    for (const [name, value] of Object.entries(bearer())) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', event => {
      if (event.lengthComputable) onPercent(Math.floor((event.loaded / event.total) * 100))
    })
    request.addEventListener('load', () => {
      const { responseText, status } = request
      if (status < 200 || status >= 300) return reject(refusal(status, responseText))
      resolve({ status, body: JSON.parse(responseText) })
    })
    for (const end of ['error', 'abort', 'timeout'])
      request.addEventListener(end, () => reject(new Error(`The upload ended without a response: ${end}`)))
    request.send(form)
  })
}

function bearer(): Record<string, string> {
  const token = tokenForCall()
  return token ? { authorization: `Bearer ${token}` } : {}
}

/**
 * Turns a REST response with `{error, fields, stepUp}` into the error of a refused procedure. Any other body counts as
 * an invalid response.
 */
function refusal(status: number, body: string): Error {
  const { error, fields, stepUp } = readRefusal(body)
  const data = { httpStatus: error ? status : 500, fields, stepUp }
  return TRPCClientError.from({ error: { message: error ?? `Answered with ${status}`, code: 0, data } })
}

type Refusal = { error?: string; fields?: Record<string, string>; stepUp?: StepUpMethod[] }

function readRefusal(body: string): Refusal {
  try {
    const parsed: unknown = JSON.parse(body)
    const isRefusal =
      typeof parsed === 'object' && parsed !== null && 'error' in parsed && typeof parsed.error === 'string'
    return isRefusal ? (parsed as Refusal) : {}
  } catch {
    return {}
  }
}

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

import { toNormalForm } from '../../../domain/common/printable.ts'

const maxNameLength = 120
/** Limit of a name as sent; the rest is cut before its extension, because trimming takes quadratic time. */
const maxSentLength = 1000
const maxEndingLength = 6

/**
 * Makes the name of an uploaded file safe to show and to save: removes folders, control characters and direction marks,
 * and makes sure that it has one of the extensions. `fallback` replaces an empty name.
 */
export function safeName(name: string, allowedEndings: readonly string[], fallback: string): string {
  const sent = name.split(/[/\\]/).at(-1) ?? ''
  const rest = sent.slice(maxSentLength)
  const base = toNormalForm(sent.slice(0, maxSentLength) + rest.slice(-maxEndingLength))
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .replace(/["<>:|?*]/g, '-')
    .trim()
  const [, stem = '', ending = ''] = /^(.*?)(?:\.(\w{1,5}))?$/s.exec(base) ?? []
  const kept = allowedEndings.includes(ending.toLowerCase()) ? ending : (allowedEndings[0] ?? '')
  const safeStem = [...stem.replace(/^[.\s]+|[.\s]+$/g, '')]
    .slice(0, maxNameLength - kept.length - 1)
    .join('')
  return `${safeStem || fallback}.${kept}`
}

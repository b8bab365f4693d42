const maxNameLength = 120

/**
 * Makes the name of an uploaded file safe to show and to save: removes folders, control characters and direction marks,
 * and makes sure that it has one of the extensions. `fallback` replaces an empty name.
 */
export function safeName(name: string, allowedEndings: readonly string[], fallback: string): string {
  const base = (name.split(/[/\\]/).at(-1) ?? '')
    .normalize('NFC')
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

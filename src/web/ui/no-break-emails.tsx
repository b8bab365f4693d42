import type { ReactNode } from 'react'

const breaking = /^e-mail|@/i

/** Keeps e-mail addresses and the word 'e-mail' on one line if they fit, because browsers break at hyphens. */
export function noBreakEmails(text: ReactNode): ReactNode {
  if (typeof text !== 'string' || !/e-mail|@/i.test(text)) return text
  return text.split(' ').flatMap((word, at) => {
    const shown = breaking.test(word) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a heading keep their order.
      <span key={at} className="inline-block max-w-full wrap-anywhere">
        {word}
      </span>
    ) : (
      word
    )
    return at === 0 ? [shown] : [' ', shown]
  })
}

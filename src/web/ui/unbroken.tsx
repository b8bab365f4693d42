import type { ReactNode } from 'react'

const breaking = /^e-mail|@/i

/** Keeps an address, and the word 'e-mail', on one line of a heading where they fit: browsers break at a hyphen. */
export function unbroken(text: ReactNode): ReactNode {
  if (typeof text !== 'string' || !/e-mail|@/i.test(text)) return text
  return text.split(' ').flatMap((word, at) => {
    const shown = breaking.test(word) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a heading keep their places.
      <span key={at} className="inline-block max-w-full wrap-anywhere">
        {word}
      </span>
    ) : (
      word
    )
    return at === 0 ? [shown] : [' ', shown]
  })
}

import { useEffect, useState } from 'react'

const debounceMs = 300

/** A value that follows the given one, compared as JSON, when it has stopped changing. */
export function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value)
  const text = JSON.stringify(value)
  const isFirst = debounced === undefined
  const isCurrent = JSON.stringify(debounced) === text
  useEffect(() => {
    if (isCurrent) return
    const update = () => setDebounced(text === undefined ? undefined : JSON.parse(text))
    const timer = setTimeout(update, isFirst ? 0 : debounceMs)
    return () => clearTimeout(timer)
  }, [text, isFirst, isCurrent])
  return debounced
}

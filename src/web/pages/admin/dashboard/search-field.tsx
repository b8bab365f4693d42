import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Field, inputClass } from '../../../ui/field.tsx'

const debounceMs = 300

/** Searches when typing pauses. Follows the URL if that changes in another way, such as by Back. */
export function SearchField({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value)
  const searched = useRef(value)
  const search = useEffectEvent(onSearch)

  useEffect(() => {
    if (value === searched.current) return
    searched.current = value
    setText(value)
  }, [value])

  useEffect(() => {
    const wanted = text.trim()
    if (wanted === searched.current) return
    const timer = setTimeout(() => {
      searched.current = wanted
      search(wanted)
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <Field
      label={<span className="sr-only">Search applications</span>}
      className="min-w-0 grow basis-44 sm:max-w-sm lg:max-w-80"
    >
      {control => (
        <div className="relative">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-muted"
          />
          <input
            {...control}
            type="search"
            value={text}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            placeholder="Name, email, phone or number"
            className={`${inputClass} pl-10`}
            onChange={event => setText(event.target.value)}
          />
        </div>
      )}
    </Field>
  )
}

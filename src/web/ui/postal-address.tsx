/** An address in one line; where it has to break, city, state and ZIP stay together. */
export function PostalAddress({ children }: { children: string }) {
  const [, street, city] = /^(.*,\s*)([^,]+,[^,]*\d[^,]*)$/s.exec(children) ?? []
  if (!street) return children
  return (
    <>
      {street}
      <span className="inline-block">{city}</span>
    </>
  )
}

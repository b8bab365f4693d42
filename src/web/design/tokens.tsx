const colors = {
  Surfaces: ['canvas', 'white', 'shell', 'linen', 'sand', 'line', 'line-strong'],
  'Text and actions': ['ink', 'muted', 'navy', 'navy-light', 'navy-dark'],
  Accents: ['glass-light', 'glass', 'lagoon', 'lagoon-dark', 'brass', 'brass-dark'],
  Status: ['green', 'green-tint', 'blue', 'blue-tint', 'yellow', 'yellow-tint', 'red', 'red-tint'],
} as const

const type = [
  ['Display', 'font-display text-[2.75rem] leading-tight text-navy', 'Wake up to the Gulf'],
  ['Section', 'font-display text-[2rem] leading-tight text-navy', 'Rates and fees'],
  ['Screen title', 'text-[2rem] leading-tight font-semibold tracking-[-0.01em] text-navy', 'Dashboard'],
  ['Card title', 'text-lg leading-snug font-semibold text-navy', 'Lease and signature'],
  ['Number', 'text-2xl leading-tight font-semibold text-navy tabular-nums', '$2,385.00'],
  ['Text', 'text-base text-ink', 'We review every application within 1-2 business days.'],
  ['Small', 'text-[0.9375rem] text-muted', 'Only you and your host see this.'],
  ['Smallest', 'text-sm text-muted', 'Updated 5 minutes ago'],
] as const

/** Tailwind's names for the spacing steps, in multiples of 4 px. */
const spaces = ['1', '2', '3', '4', '5', '6', '8', '10', '16'] as const

export function Tokens() {
  return (
    <>
      <Colors />
      <Type />
      <Shapes />
    </>
  )
}

function Colors() {
  return (
    <section id="colors">
      <h2 className="mb-4 text-xl font-semibold text-navy">Colors</h2>
      <div data-picture="colors" className="grid gap-5 p-1">
        {Object.entries(colors).map(([group, names]) => (
          <div key={group}>
            <h3 className="mb-2 text-sm text-muted">{group}</h3>
            <ul className="flex flex-wrap gap-3">
              {names.map(name => (
                <li key={name} className="w-24 text-sm text-muted">
                  <span
                    className="mb-1 block h-12 rounded-control border border-line"
                    style={{ background: `var(--color-${name})` }}
                  />
                  {name}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}

function Type() {
  return (
    <section id="type">
      <h2 className="mb-4 text-xl font-semibold text-navy">Type</h2>
      <dl data-picture="type" className="grid gap-4 p-1">
        {type.map(([name, className, sample]) => (
          <div key={name} className="grid items-baseline gap-x-6 sm:grid-cols-[8rem_1fr]">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className={className}>{sample}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Shapes() {
  return (
    <section id="shapes">
      <h2 className="mb-4 text-xl font-semibold text-navy">Space, corners, shadows</h2>
      <div data-picture="shapes" className="grid gap-8 p-4">
        <ul className="flex flex-wrap items-end gap-5">
          {spaces.map(step => (
            <li key={step} className="text-sm text-muted">
              <span
                className="mb-1 block bg-lagoon"
                style={{ width: `${Number(step) / 4}rem`, height: `${Number(step) / 4}rem` }}
              />
              {Number(step) * 4} px
            </li>
          ))}
        </ul>
        <ul className="flex flex-wrap gap-8 text-sm text-muted">
          <li className="rounded-control border border-line-strong bg-white px-6 py-4">control, 8 px</li>
          <li className="rounded-card border border-line bg-white px-6 py-4 shadow-card">
            card, 14 px, card shadow
          </li>
          <li className="rounded-card bg-white px-6 py-4 shadow-overlay">card, overlay shadow</li>
        </ul>
      </div>
    </section>
  )
}

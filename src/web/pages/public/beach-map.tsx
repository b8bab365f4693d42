import { useId } from 'react'

const tuft = 'm0 0c-2-6-6-9-9-10m9 10c0-7-1-12-2-15m2 15c2-6 5-9 8-11'
const tufts = [
  '248 118',
  '286 196',
  '262 300',
  '300 368',
  '352 92',
  '348 436',
  '276 452',
  '330 158',
  '352 346',
]
const ripples = [
  '560 70',
  '640 148',
  '590 250',
  '676 330',
  '604 420',
  '716 96',
  '730 232',
  '700 456',
  '760 386',
]

type BeachMapProps = {
  /** The distance from the building to the beach, such as `10 feet`; if undefined, the map shows no distance. */
  distance: string | undefined
  /** The distance as screen readers read it. */
  inWords: string | undefined
  className?: string
}

/**
 * A drawing of the way from the condo over the dunes to the water. It is not a real map: it has no streets and needs no
 * tiles.
 */
export function BeachMap({ distance, inWords, className }: BeachMapProps) {
  const title = useId()
  return (
    <svg viewBox="0 0 800 500" role="img" aria-labelledby={title} className={className}>
      <title id={title}>
        {`Sketch: the condo building on the left, a boardwalk through the dunes, ${inWords ? `${inWords} to ` : ''}the beach, then the ocean`}
      </title>
      <Ground />
      <Ripples />
      <Plants />
      <Boardwalk />
      <Building />
      <Pin />
      <Umbrellas />
      <Labels distance={distance} />
    </svg>
  )
}

/** From left to right: land, dunes, beach, and three depths of water with the edge of the surf. */
const Ground = () => (
  <>
    <path fill="#e8e6d6" d="M0 0h800v500H0z" />
    <path fill="#d9e2cf" d="M0 0h210c22 90-18 160 6 250s-14 160 4 250H0z" />
    <path fill="#efe5d0" d="M210 0c22 90-18 160 6 250s-14 160 4 250h200V0z" />
    <path fill="#f4ecda" d="M378 0c30 80-24 170 8 250s-26 170 2 250h170V0z" />
    <path fill="#d8c7a4" d="M488 0c34 84-30 160 6 250s-28 170 0 250h60V0z" />
    <path fill="#a3c9bc" d="M512 0c36 84-30 160 8 250s-30 170 0 250h280V0z" />
    <path fill="#6fb0b2" d="M590 0c44 84-34 160 10 250s-36 170 0 250h200V0z" />
    <path fill="#4e9aa3" d="M690 0c44 84-34 160 10 250s-36 170 0 250h100V0z" />
    <path
      fill="none"
      stroke="#fff"
      strokeWidth="5"
      strokeLinecap="round"
      opacity="0.9"
      d="M512 0c36 84-30 160 8 250s-30 170 0 250"
    />
  </>
)

const Ripples = () => (
  <g fill="none" stroke="#fff" strokeWidth="2.5" strokeLinecap="round" opacity="0.55">
    {ripples.map(place => (
      <path key={place} transform={`translate(${place})`} d="m0 0c8-7 16-7 24 0s16 7 24 0" />
    ))}
  </g>
)

/** Grass on the dunes, and bushes around the building. */
const Plants = () => (
  <>
    <g fill="none" stroke="#7f9a6a" strokeWidth="2.2" strokeLinecap="round">
      {tufts.map(place => (
        <path key={place} transform={`translate(${place})`} d={tuft} />
      ))}
    </g>
    <g fill="#7f9a6a" opacity="0.75">
      <circle cx="46" cy="76" r="22" />
      <circle cx="78" cy="58" r="15" />
      <circle cx="40" cy="432" r="25" />
      <circle cx="76" cy="452" r="16" />
      <circle cx="176" cy="458" r="14" />
      <circle cx="170" cy="44" r="13" />
    </g>
  </>
)

const Boardwalk = () => (
  <>
    <path stroke="#b88a58" strokeWidth="24" d="M188 250h206" />
    <path stroke="#e2d2b5" strokeWidth="18" strokeDasharray="7 2" d="M188 250h206" />
  </>
)

/** The building from above: roof, ridge, balconies. */
const Building = () => (
  <>
    <path fill="#1e3552" opacity="0.14" d="M68 142h128v232H68z" />
    <path fill="#fff" d="M58 132h128v232H58z" />
    <path fill="#e6dccb" d="M58 132h64v232H58z" />
    <path stroke="#d3b58c" strokeWidth="3" d="M122 132v232" />
    <path fill="none" stroke="#1e3552" strokeWidth="3" d="M58 132h128v232H58z" />
    <path fill="#a3c9bc" stroke="#1e3552" strokeWidth="3" d="M186 216h18v68h-18z" />
  </>
)

const Pin = () => (
  <>
    <path
      fill="#1e3552"
      stroke="#fff"
      strokeWidth="3"
      d="M152 262c-20-26-30-38-30-54a30 30 0 0 1 60 0c0 16-10 28-30 54z"
    />
    <circle cx="152" cy="208" r="11" fill="#e9c58c" />
  </>
)

const Umbrellas = () =>
  ['446 150', '462 352'].map(place => (
    <g key={place} transform={`translate(${place})`}>
      <circle r="19" fill="#fff" />
      <path
        fill="#1e3552"
        d="M0 0-19 0A19 19 0 0 1-13.4-13.4zM0 0V-19A19 19 0 0 1 13.4-13.4zM0 0H19A19 19 0 0 1 13.4 13.4zM0 0V19A19 19 0 0 1-13.4 13.4z"
      />
    </g>
  ))

const Labels = ({ distance }: Pick<BeachMapProps, 'distance'>) => (
  <>
    {distance && <path fill="none" stroke="#1e3552" strokeWidth="2" d="M204 306h174m-174-7v14m174-14v14" />}
    <g fill="#1e3552" textAnchor="middle" className="text-[28px] font-semibold sm:text-[20px]">
      {distance && (
        <text x="291" y="336">
          {distance}
        </text>
      )}
      <text x="122" y="400">
        The condo
      </text>
      <text x="442" y="258">
        Beach
      </text>
      <text x="660" y="300" fill="#15273e">
        Ocean
      </text>
    </g>
  </>
)

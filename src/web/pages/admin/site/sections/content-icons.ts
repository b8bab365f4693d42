import {
  Armchair,
  Bath,
  BedDouble,
  Building2,
  CigaretteOff,
  CookingPot,
  Info,
  type LucideIcon,
  Maximize,
  ShowerHead,
  SquareParking,
  Umbrella,
  UsersRound,
  WavesLadder,
  Wifi,
} from 'lucide-react'
import type { amenityIcons, factIcons } from '../../../../../domain/content/content.ts'

type Named = { Icon: LucideIcon; text: string }

/** The icons on the page, with their names in the editor. */
export const factIconNames: Record<(typeof factIcons)[number], Named> = {
  bed: { Icon: BedDouble, text: 'Bed' },
  bath: { Icon: Bath, text: 'Bath' },
  guests: { Icon: UsersRound, text: 'Guests' },
  area: { Icon: Maximize, text: 'Area' },
  floor: { Icon: Building2, text: 'Floor' },
  beach: { Icon: Umbrella, text: 'Beach' },
  smoke: { Icon: CigaretteOff, text: 'No smoking' },
  parking: { Icon: SquareParking, text: 'Parking' },
  wifi: { Icon: Wifi, text: 'Wi-Fi' },
  pool: { Icon: WavesLadder, text: 'Pool' },
}

export const amenityIconNames: Record<(typeof amenityIcons)[number], Named> = {
  view: { Icon: Umbrella, text: 'View' },
  living: { Icon: Armchair, text: 'Living' },
  kitchen: { Icon: CookingPot, text: 'Kitchen' },
  bed: { Icon: BedDouble, text: 'Bed' },
  bath: { Icon: ShowerHead, text: 'Bath' },
  rules: { Icon: Info, text: 'Good to know' },
  parking: { Icon: SquareParking, text: 'Parking' },
  wifi: { Icon: Wifi, text: 'Wi-Fi' },
}

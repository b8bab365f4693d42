export type AmenityGroup = {
  icon: 'view' | 'kitchen' | 'bed' | 'bath' | 'living' | 'rules'
  title: string
  items: string[]
}

export const amenities: AmenityGroup[] = [
  {
    icon: 'view',
    title: 'Balcony and beach',
    items: [
      'Covered balcony facing the ocean',
      'Two armchairs and a table',
      'Boardwalk to the sand',
      'Beach 10 feet away',
    ],
  },
  {
    icon: 'living',
    title: 'Living and dining',
    items: [
      'Sofa and two armchairs',
      'Dining table for four',
      'Sliding glass doors with sea view',
      'Ceiling fan',
    ],
  },
  {
    icon: 'kitchen',
    title: 'Kitchen',
    items: [
      'Full kitchen with range and hood',
      'Island with three stools',
      'Cookware and tableware for four',
      'Coffee maker and kettle',
    ],
  },
  {
    icon: 'bed',
    title: 'Two bedrooms',
    items: [
      'Primary: king bed and balcony doors',
      'Second: two twin beds',
      'Bed linen and towels',
      'Curtains in both bedrooms',
    ],
  },
  {
    icon: 'bath',
    title: 'Two bathrooms',
    items: ['Primary: double vanity', 'Primary: walk-in shower', 'Second: tub with shower', 'Hair dryer'],
  },
  {
    icon: 'rules',
    title: 'Good to know',
    items: ['Non-smoking, balcony included', 'Sleeps 4', 'Second floor', 'Rented directly by the owner'],
  },
]

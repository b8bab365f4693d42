import type { Environment } from '../server/kernel/config.ts'

/** The minimum environment in which production starts. */
export const productionEnv: Environment = {
  NODE_ENV: 'production',
  ORIGIN: 'https://condo.example',
  COMPANY_NAME: 'Seaglass Shore Rentals',
  PROPERTY_NAME: 'Seaglass Shore Condo',
  PROPERTY_ADDRESS: '120 Ocean Walk, Unit 2B, Seabright Beach, FL 32000',
  PROPERTY_TIMEZONE: 'America/New_York',
  OWNER_EMAIL: 'owner@condo.example',
  OWNER_PHONE: '850-555-0142',
}

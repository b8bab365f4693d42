/** Of the tab's storage: the application that was last paid for, so that a canceled payment comes back to it (LOOK-40). */
export const payingForKey = 'payingFor'

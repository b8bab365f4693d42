/** The place of an upload in the grid, which its picture keeps: the newest comes first, before what was there. */
export const placeOf = (uploadId: number): number => -uploadId

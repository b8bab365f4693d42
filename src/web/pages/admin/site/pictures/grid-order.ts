/**
 * The position of an upload in the grid, which its picture keeps: the newest upload comes first, before existing
 * pictures.
 */
export const gridOrderOf = (uploadId: number): number => -uploadId

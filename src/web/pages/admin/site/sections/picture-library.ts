import { api, type Outputs } from '../../../../api/api.ts'

export type LibraryPicture = Outputs['media']['list']['pictures'][number]

const pollIntervalMs = 3000

/** All pictures that can be chosen; refetched while a picture is being processed. */
export function usePictureLibrary() {
  return api.media.list.useQuery(undefined, {
    select: ({ pictures }) => pictures,
    refetchInterval: ({ state }) =>
      state.data?.pictures.some(picture => picture.state === 'processing') ? pollIntervalMs : false,
  })
}

/** The picture with this id: null if it no longer exists, undefined while loading. */
export function useLibraryPicture(id: string | null): LibraryPicture | null | undefined {
  const { data } = usePictureLibrary()
  return data && (data.find(picture => picture.id === id) ?? null)
}

import { api, type Outputs } from '../../../../api/api.ts'

export type OwnPicture = Outputs['media']['list']['pictures'][number]

const pollIntervalMs = 3000

/** All pictures that can be chosen; refetched while a picture is being processed. */
export function useOwnPictures() {
  return api.media.list.useQuery(undefined, {
    select: ({ pictures }) => pictures,
    refetchInterval: ({ state }) =>
      state.data?.pictures.some(picture => picture.state === 'processing') ? pollIntervalMs : false,
  })
}

/** The picture with this id: null if it no longer exists, undefined while loading. */
export function useOwnPicture(id: string | null): OwnPicture | null | undefined {
  const { data } = useOwnPictures()
  return data && (data.find(picture => picture.id === id) ?? null)
}

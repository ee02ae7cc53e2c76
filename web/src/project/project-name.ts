import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Reads the name of another project once. */
export function useProjectName(projectId: string) {
  return useQuery({
    queryKey: ['project-name', projectId],
    queryFn: async ({ signal }) => (await api.snapshot(projectId, signal)).project.name,
    staleTime: Infinity,
    retry: false,
  });
}

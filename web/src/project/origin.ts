import { createContext } from 'react';

/** Id of the conversation around a link to another project, whose page then leads back. `null` outside a conversation. */
export const OriginContext = createContext<string | null>(null);

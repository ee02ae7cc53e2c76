interface Window {
  __showFilm(film: import('./gallery.tsx').GalleryFilm): void;
  __textRuns(): import('./measure.ts').TextRun[];
  __galleryLoaded?: boolean;
}

interface Window {
  __showFilm(film: import('./gallery.tsx').GalleryFilm): void;
  __galleryLoaded?: boolean;
}

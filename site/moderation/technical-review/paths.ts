export const reviewsPath = '/moderation/technical-review';
export const mockupPath = '/moderation/technical-review-mockup';
/** Code about which somebody decided everywhere. */
export const judgedCodePath = `${reviewsPath}/code`;
/** Works from elsewhere that modpacks contain. */
export const worksPath = `${reviewsPath}/works`;
/** The page with what was found in a project. */
export const projectReviewPath = (project_id: string): string => `${reviewsPath}/${project_id}`;

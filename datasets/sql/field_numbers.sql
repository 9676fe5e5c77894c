-- The share of right values of each field, and within each language (dimension field, field_cs, field_en), as SQL over grades.
CREATE OR REPLACE VIEW field_numbers AS
WITH scored AS (
  SELECT suite, edition, system_id, split, language, case_id, trial, CAST(dense_rank() OVER (ORDER BY case_id) AS INTEGER) AS number
  FROM profiles
  WHERE is_scored AND len(scores) = 0 AND suite IN (SELECT suite FROM tendencies WHERE metric = 'field_accuracy')
), folded AS (
  SELECT g.suite, g.edition, g.system_id, p.split, p.language, g.item, sum(g.points) AS points, sum(g.max_points) AS max_points,
         count(DISTINCT p.number) AS n_documents, count(*) AS n_items
  FROM grades g
  JOIN scored p USING (suite, edition, system_id, case_id, trial)
  WHERE g.judge = 'program' AND g.pass_name = 'atomic' AND g.max_points > 0
  GROUP BY ALL
)
SELECT suite, edition, system_id, split, CASE WHEN grouping(language) = 1 THEN 'field' ELSE 'field_' || language END AS dimension,
       item AS group_name, 'field_accuracy' AS metric, CAST(sum(points) / sum(max_points) AS DOUBLE) AS value,
       CAST(sum(n_documents) AS BIGINT) AS n_documents, CAST(sum(n_items) AS BIGINT) AS n_items
FROM folded
GROUP BY GROUPING SETS ((suite, edition, system_id, split, item), (suite, edition, system_id, split, item, language));
